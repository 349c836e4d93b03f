import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";

/** A run is named by the end of its id: the begin of it is a time, the same for runs of one day. */
export function RunLink({ team, id }: { team: string; id: string }) {
  return (
    <Anchor component={Link} to={paths.run(team, id)} inherit className="code">
      {id.slice(-8)}
    </Anchor>
  );
}

import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";

/** A run is shown by the end of its id: the beginning is a timestamp, which is the same for runs of one day. */
export function RunLink({ team, id }: { team: string; id: string }) {
  return (
    <Anchor component={Link} to={paths.run(team, id)} inherit className="code">
      {id.slice(-8)}
    </Anchor>
  );
}

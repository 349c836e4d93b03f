import { useQuery } from "@tanstack/react-query";
import { openActionCountQuery } from "../../api/queries/open-count.ts";
import { t } from "../../texts/frame.ts";
import classes from "./shell.module.css";

/** The number of the team's open actions, shown in the navigation. The stream of changes keeps it up to date. */
export function OpenCount({ team }: { team: string }) {
  const { data = 0 } = useQuery(openActionCountQuery(team));
  if (data === 0) return null;
  const count = data > 99 ? "99+" : String(data);
  return (
    <span className={classes.openCount}>
      <span aria-hidden>{count}</span>
      <span className="only-heard">{t("places.openActions", { count })}</span>
    </span>
  );
}

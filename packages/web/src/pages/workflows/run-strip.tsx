import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflows.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { exactTime } from "../../ui/time/time-format.ts";
import type { RunSummary } from "./workflow-rows.ts";
import classes from "./workflows.module.css";

/** The latest runs as shapes, the newest at the right; each leads to its run. */
export function RunStrip({ team, runs, of }: { team: string; runs: readonly RunSummary[]; of: string }) {
  if (runs.length === 0) return <span className="quiet">{t("runStrip.noRunsYet")}</span>;
  return (
    <ul className={classes.strip} aria-label={t("runStrip.lastRuns", { of })}>
      {runs.map(({ id, status, creationDate }) => (
        <li key={id}>
          <Link to={paths.run(team, id)} title={`${statusLook(status).word}, ${exactTime(creationDate)}`}>
            <StatusMark status={status} isBare />
          </Link>
        </li>
      ))}
    </ul>
  );
}

import { Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { successText } from "../../components/success-rate.ts";
import { type TriggerKind, triggerLooks } from "../../components/workflow-icon.tsx";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflows.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { exactTime } from "../../ui/time/time-format.ts";
import type { RunSummary } from "./workflow-rows.ts";
import classes from "./workflows.module.css";

/** Whether the workflow is active, by word and shape. */
export function ActiveState({ isActive }: { isActive: boolean }) {
  return isActive ? <StateMark tone="on" word={t("rowParts.active")} /> : <StateMark tone="rest" word={t("rowParts.inactive")} />;
}

/** The triggers that can start the workflow. */
export function TriggerMarks({ kinds }: { kinds: readonly string[] }) {
  if (kinds.length === 0) return <span className="quiet">{t("rowParts.none")}</span>;
  return (
    <span className={classes.triggers}>
      {kinds.map((kind) => {
        const look = triggerLooks[kind as TriggerKind];
        if (look === undefined) return null;
        return (
          <Tooltip key={kind} label={look.word}>
            <span>
              <look.icon size={16} stroke={1.75} aria-hidden />
              <span className="only-heard">{look.word}</span>
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}

/** The share of successful runs among the latest runs that have ended. */
export function SuccessRate({ succeeded, rated }: { succeeded: number; rated: number }) {
  if (rated === 0) return <span className="quiet">–</span>;
  return (
    <span className={classes.rate} data-low={succeeded / rated < 0.8 || undefined}>
      {successText(succeeded, rated)}
    </span>
  );
}

/** Labels; a click filters the list by that label. */
export function LabelMarks({ labels, onChoose }: { labels: readonly string[]; onChoose?: (label: string) => void }) {
  if (labels.length === 0) return null;
  return (
    <span className={classes.labels}>
      {labels.slice(0, 4).map((label) => (
        <button
          key={label}
          type="button"
          className={classes.label}
          title={t("rowParts.showOnly", { label })}
          onClick={() => onChoose?.(label)}
        >
          {label}
        </button>
      ))}
      {labels.length > 4 && <span className="quiet">+{labels.length - 4}</span>}
    </span>
  );
}

/** The latest runs as shapes, newest at the right. Each links to its run. */
export function RunStrip({ team, runs, of }: { team: string; runs: readonly RunSummary[]; of: string }) {
  if (runs.length === 0) return <span className="quiet">{t("runStrip.noRunsYet")}</span>;
  return (
    <ul className={classes.strip} aria-label={t("runStrip.lastRuns", { of })}>
      {runs.map(({ id, status, waitKinds, creationDate }) => (
        <li key={id}>
          <Link to={paths.run(team, id)} title={`${statusLook(status, undefined, waitKinds).word}, ${exactTime(creationDate)}`}>
            <StatusMark status={status} waitKinds={waitKinds} isBare />
          </Link>
        </li>
      ))}
    </ul>
  );
}

import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import type { TaskRun } from "../../api/queries/task-runs.ts";
import { t } from "../../texts/run.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { useRunView } from "./run-context.ts";
import classes from "./timeline.module.css";
import { barsOf, type Range } from "./timeline-bars.ts";

interface RowProps {
  task: TaskRun;
  range: Range;
  nowMs: number;
  top: number;
  fold: { isOpen: boolean; count: number; toggle: () => void } | undefined;
}

/** A task in the timeline: its name, and its bars. */
export function TimelineRow({ task, range, nowMs, top, fold }: RowProps) {
  const { chosen, choose } = useRunView();
  const bars = barsOf(task, nowMs);
  return (
    <div className={classes.row} data-chosen={chosen?.id === task.id || undefined} style={{ transform: `translateY(${top}px)` }}>
      <div className={classes.title} data-item={task.item !== undefined || undefined}>
        <StatusMark status={task.status} isBare />
        <button type="button" className={classes.open} onClick={() => choose(task.id)} title={task.name}>
          {task.name}
        </button>
        {fold && (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={fold.isOpen}
            aria-label={t("timelineRow.items", { count: fold.count, name: task.name })}
            onClick={fold.toggle}
          >
            {fold.count.toLocaleString("en")} {fold.isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </button>
        )}
      </div>
      <button type="button" className={classes.chart} tabIndex={-1} aria-hidden onClick={() => choose(task.id)}>
        {bars.map((bar, index) => {
          const left = partOf(range, bar.from);
          return (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: bars are only added
              key={index}
              className={classes.bar}
              data-kind={bar.kind}
              data-tone={bar.status === "lost" ? "failed" : statusLook(bar.status as TaskRun["status"])?.tone}
              title={`${bar.label}, ${durationText(bar.to - bar.from)}`}
              style={{ left: `${left}%`, width: `max(2px, ${partOf(range, bar.to) - left}%)` }}
            />
          );
        })}
        {bars.length === 0 && <span className={classes.none}>{task.waitingFor ?? statusLook(task.status).word}</span>}
      </button>
    </div>
  );
}

/** How far along the range a moment is, in per cent. */
export function partOf({ from, to }: Range, at: number): number {
  return ((at - from) / (to - from)) * 100;
}

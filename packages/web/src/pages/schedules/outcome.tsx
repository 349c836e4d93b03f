import type { CalendarEntry } from "./calendar-entries.ts";
import { EntryLink } from "./day-item.tsx";
import { EntryMark } from "./entry-mark.tsx";
import { statusWord } from "./schedule-words.tsx";
import classes from "./schedules.module.css";
import type { RunEnd } from "./use-calendar.ts";

interface OutcomeProps {
  team: string;
  entry: CalendarEntry;
  runs: ReadonlyMap<string, RunEnd>;
}

/** The outcome of a time, on one line: its run, which it leads to, or why there is none. */
export function Outcome({ team, entry, runs }: OutcomeProps) {
  const { kind, runId, count, message, schedule } = entry;
  const mark = <EntryMark kind={kind} run={runId === undefined ? undefined : runs.get(runId)} />;
  return (
    <span className={classes.outcome}>
      {runId === undefined ? mark : <EntryLink team={team} entry={entry} text={mark} />}
      {count > 1 && `×${count}`}
      {message && <span className="quiet">{message}</span>}
      {kind === "planned" && <span className="quiet">once active ({statusWord(schedule.status).toLowerCase()})</span>}
    </span>
  );
}

import { Link } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { clockText } from "../../ui/time/zone-time.ts";
import type { Bunch, CalendarEntry, DayItem, EntryKind } from "./calendar-entries.ts";
import { EntryMark, kindWord } from "./entry-mark.tsx";
import classes from "./schedules.module.css";
import type { RunEnd } from "./use-calendar.ts";

interface DayItemProps {
  team: string;
  item: DayItem;
  runs: ReadonlyMap<string, RunEnd>;
  timeZone: string;
}

/** One line of a day in the month: leads to the run, or to the schedule where there is none. */
export function DayItemLink({ team, item, runs, timeZone }: DayItemProps) {
  if (item.bunch) return <BunchLink bunch={item.bunch} timeZone={timeZone} />;
  const { one } = item;
  const run = one.runId === undefined ? undefined : runs.get(one.runId);
  const text = (
    <>
      <EntryMark kind={one.kind} run={run} isBare />
      <span className={classes.clock}>{clockText(timeZone, one.at)}</span>
      <span className={classes.entryName}>
        {one.schedule.name}
        {one.count > 1 && ` ×${one.count}`}
      </span>
    </>
  );
  return <EntryLink team={team} entry={one} className={classes.entry} text={text} />;
}

interface EntryLinkProps {
  team: string;
  entry: CalendarEntry;
  className?: string | undefined;
  text: React.ReactNode;
}

export function EntryLink({ team, entry, className, text }: EntryLinkProps) {
  const shared = { className, title: `${entry.schedule.name}${entry.message ? `: ${entry.message}` : ""}` };
  if (entry.runId !== undefined)
    return (
      <Link to={paths.run(team, entry.runId)} {...shared}>
        {text}
      </Link>
    );
  return (
    <Link to="." search={(before) => ({ ...before, schedule: entry.schedule.id })} {...shared}>
      {text}
    </Link>
  );
}

function BunchLink({ bunch, timeZone }: { bunch: Bunch; timeZone: string }) {
  const { schedule, first, last, count } = bunch;
  return (
    <Link
      to="."
      search={(before) => ({ ...before, schedule: schedule.id })}
      className={classes.entry}
      title={`${schedule.name}, ${clockText(timeZone, first)} to ${clockText(timeZone, last)}: ${bunchWords(bunch)}`}
    >
      <EntryMark kind={worstKind(bunch)} isBare />
      <span className={classes.clock}>×{count}</span>
      <span className={classes.entryName}>{schedule.name}</span>
    </Link>
  );
}

/** `3 missed, 21 to come`. */
export function bunchWords({ kinds }: Bunch): string {
  const parts = Object.entries(kinds) as [EntryKind, number][];
  return parts.map(([kind, count]) => `${count} ${kindWord(kind).toLowerCase()}`).join(", ");
}

/** What a day is told by: what went wrong before what went well. */
export function worstKind({ kinds }: Bunch): EntryKind {
  const order: readonly EntryKind[] = ["refused", "missed", "skipped", "coming", "planned", "submitted"];
  return order.find((kind) => kinds[kind] !== undefined) ?? "submitted";
}

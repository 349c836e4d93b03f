import type { FiringOutcome } from "@millrace/contract/schedule.ts";
import type { Firing, Schedule } from "../../api/queries/schedules.ts";
import { dayOf } from "../../ui/time/zone-time.ts";

/** The outcome of a past time, or what a future time will be. `planned` is a future time that won't fire as things stand. */
export type EntryKind = FiringOutcome | "coming" | "planned";

export interface CalendarEntry {
  /** ISO 8601. */
  at: string;
  schedule: Schedule;
  kind: EntryKind;
  /** The number of times the entry stands for; more than one only if they were missed. */
  count: number;
  runId?: string | undefined;
  message?: string | undefined;
}

/** Several times of one schedule on one day, shown as one item. */
export interface Bunch {
  schedule: Schedule;
  first: string;
  last: string;
  count: number;
  kinds: Partial<Record<EntryKind, number>>;
}

export type DayItem = { one: CalendarEntry; bunch?: undefined } | { bunch: Bunch; one?: undefined };

export function pastEntries(schedule: Schedule, firings: readonly Firing[]): CalendarEntry[] {
  return firings.map(({ scheduledDate, outcome, count, workflowRunRef, message }) => ({
    ...{ at: scheduledDate, schedule, kind: outcome, count },
    ...{ runId: workflowRunRef, message },
  }));
}

export function comingEntries(schedule: Schedule, dates: readonly string[]): CalendarEntry[] {
  const kind = schedule.status === "active" ? "coming" : "planned";
  return dates.map((at) => ({ at, schedule, kind, count: 1 }));
}

/** Groups the entries by day in the time zone, sorted by time. If a time appears both as coming and as past, only the past one is kept. */
export function byDay(entries: readonly CalendarEntry[], timeZone: string): Map<string, CalendarEntry[]> {
  const done = new Set(entries.filter(isPast).map(keyOf));
  const days = new Map<string, CalendarEntry[]>();
  const sorted = entries
    .filter((entry) => isPast(entry) || !done.has(keyOf(entry)))
    .sort((a, b) => a.at.localeCompare(b.at) || a.schedule.name.localeCompare(b.schedule.name));
  for (const entry of sorted) {
    const day = dayOf(timeZone, entry.at);
    const list = days.get(day);
    if (list) list.push(entry);
    else days.set(day, [entry]);
  }
  return days;
}

function isPast({ kind }: CalendarEntry): boolean {
  return kind !== "coming" && kind !== "planned";
}

function keyOf({ schedule, at }: CalendarEntry): string {
  return `${schedule.id} ${at}`;
}

/** The items of a day. A schedule with more than `most` times is a single item, at its first time. */
export function itemsOfDay(entries: readonly CalendarEntry[], most = 3): DayItem[] {
  const groups = new Map<string, CalendarEntry[]>();
  for (const entry of entries) groups.set(entry.schedule.id, [...(groups.get(entry.schedule.id) ?? []), entry]);
  const items: DayItem[] = [];
  for (const entry of entries) {
    const group = groups.get(entry.schedule.id) ?? [];
    if (group.length <= most) items.push({ one: entry });
    else if (group[0] === entry) items.push({ bunch: bunchOf(group) });
  }
  return items;
}

function bunchOf(entries: readonly CalendarEntry[]): Bunch {
  const [first, last] = [entries[0] as CalendarEntry, entries.at(-1) as CalendarEntry];
  const kinds: Bunch["kinds"] = {};
  for (const { kind, count } of entries) kinds[kind] = (kinds[kind] ?? 0) + count;
  const count = Object.values(kinds).reduce((sum, one) => sum + one, 0);
  return { schedule: first.schedule, first: first.at, last: last.at, count, kinds };
}

/** The runs whose status is needed: those of entries that are shown individually. */
export function shownRuns(days: Map<string, CalendarEntry[]>, most = 3): string[] {
  const items = [...days.values()].flatMap((entries) => itemsOfDay(entries, most));
  return items.flatMap(({ one }) => (one?.runId === undefined ? [] : [one.runId]));
}

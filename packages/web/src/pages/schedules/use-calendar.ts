import type { Phase, Status, WaitKind } from "@millrace/contract/status.ts";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { calendarQuery, firingRunsQuery, firingsQuery, type Schedule } from "../../api/queries/schedules.ts";
import { byDay, type CalendarEntry, comingEntries, pastEntries, shownRuns } from "./calendar-entries.ts";

export interface RunEnd {
  id: string;
  status: Status;
  phase: Phase;
  waitKinds?: readonly WaitKind[];
}

export interface CalendarData {
  days: Map<string, CalendarEntry[]>;
  runs: ReadonlyMap<string, RunEnd>;
  isLoading: boolean;
  error: unknown;
  /** Whether a schedule has more past times in the range than were requested. */
  isPastCut: boolean;
  /** Whether a schedule has more coming times than the service returns. */
  isComingCut: boolean;
}

/** For each schedule. */
const maxFirings = 1000;
const maxDates = 1000;
const idsAtOnce = 100;

/**
 * The times of several schedules in a range of milliseconds: past times with their outcomes, and coming ones.
 *
 * @param present the start of the coming part of the range; the caller keeps it, so that the queries stay the same
 */
export function useCalendar(
  team: string,
  schedules: readonly Schedule[],
  range: { from: number; to: number; present: number },
  timeZone: string,
): CalendarData {
  const { from, to, present } = range;
  const ids = schedules.map(({ id }) => id);
  const coming = useQuery({ ...calendarQuery(team, ids, Math.max(from, present), to), enabled: ids.length > 0 && to > present });
  const past = useQueries({
    queries: schedules.map(({ id }) => ({
      ...firingsQuery(team, id, { fromDate: from, toDate: to, limit: maxFirings }),
      enabled: from < present,
    })),
    combine: (answers) => ({
      pages: answers.map(({ data }) => data),
      isLoading: answers.some(({ isLoading }) => isLoading),
      error: answers.find(({ error }) => error)?.error,
    }),
  });
  const days = useMemo(() => {
    const dates = new Map((to > present ? (coming.data ?? []) : []).map((calendar) => [calendar.scheduleId, calendar.dates]));
    const entries = schedules.flatMap((schedule, index) => [
      ...pastEntries(schedule, (from < present && past.pages[index]?.content) || []),
      ...comingEntries(schedule, dates.get(schedule.id) ?? []),
    ]);
    const inRange = ({ at }: CalendarEntry) => Date.parse(at) >= from && Date.parse(at) <= to;
    return byDay(entries.filter(inRange), timeZone);
  }, [schedules, coming.data, past.pages, from, to, present, timeZone]);
  const runs = useRunEnds(
    team,
    useMemo(() => shownRuns(days), [days]),
  );
  return {
    days,
    runs,
    isLoading: coming.isLoading || past.isLoading,
    error: coming.error ?? past.error,
    isComingCut: to > present && (coming.data ?? []).some(({ dates }) => dates.length >= maxDates),
    isPastCut: past.pages.some((page) => page !== undefined && page.totalElements > page.content.length),
  };
}

/** The final statuses of runs, requested a hundred at a time. */
export function useRunEnds(team: string, ids: readonly string[]): ReadonlyMap<string, RunEnd> {
  const parts = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, part) => ids.slice(part * idsAtOnce, (part + 1) * idsAtOnce));
  return useQueries({
    queries: parts.map((part) => firingRunsQuery(team, part)),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((run) => [run.id, run as RunEnd])),
  });
}

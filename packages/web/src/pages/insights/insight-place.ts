import type { InsightFilter } from "../../api/queries/run/insights.ts";
import { t } from "../../texts/run/insights.ts";
import { addDays, dayOf, endOfDay, startOfDay } from "../../ui/time/zone-time.ts";

/** The state of the page as the URL stores it. */
export const insightDefaults = {
  /** One of `ranges`, or `custom`: the days `from` and `to`, both included. */
  range: "30d",
  from: "",
  to: "",
  workflows: [] as string[],
  /** The time zone in which days begin; empty: the viewer's. */
  timezone: "",
};
export type InsightPlace = typeof insightDefaults;

const ranges = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 } as const;
type Range = keyof typeof ranges;

export const rangeChoices = [
  { value: "1d", label: t("insightPlace.today") },
  { value: "7d", label: t("insightPlace.n7Days") },
  { value: "30d", label: t("insightPlace.n30Days") },
  { value: "90d", label: t("insightPlace.n90Days") },
  { value: "custom", label: t("insightPlace.custom") },
];

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** The selected days, both included. An invalid custom range counts as the last 30 days. */
export function daysOfPlace({ range, from, to }: InsightPlace, today: string): { first: string; last: string } {
  if (range === "custom" && dayPattern.test(from) && dayPattern.test(to) && from <= to) return { first: from, last: to };
  const count = ranges[range as Range] ?? ranges["30d"];
  return { first: addDays(today, 1 - count), last: today };
}

/** Uses whole days of the time zone, so that the query stays the same while the page is open. */
export function filterOf(place: InsightPlace, timezone: string, now: number): InsightFilter {
  const { first, last } = daysOfPlace(place, dayOf(timezone, now));
  return {
    fromDate: startOfDay(timezone, first),
    toDate: endOfDay(timezone, last) + 1,
    timezone,
    ...(place.workflows.length > 0 && { workflows: place.workflows }),
  };
}

/** Users can edit the URL: a single word counts as a list of one. */
export function tidyPlace(place: InsightPlace): InsightPlace {
  const { range, from, to, workflows, timezone } = place;
  const list: unknown = workflows;
  return {
    range: String(range),
    from: String(from),
    to: String(to),
    timezone: String(timezone),
    workflows: Array.isArray(list) ? list.map(String) : list === "" ? [] : [String(list)],
  };
}

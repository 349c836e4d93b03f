import { phases, statuses, triggers } from "@millrace/contract/status.ts";
import { type RunsFilter, runsQueryParameters } from "../../api/queries/activity.ts";
import { t } from "../../texts/activity.ts";

/** What the address says of the page: everything that somebody may want to share. */
export const noFilter = {
  statuses: [] as string[],
  phase: [] as string[],
  workflows: [] as string[],
  triggers: [] as string[],
  labels: [] as string[],
  who: "",
  span: "",
  from: "",
  to: "",
  page: 0,
};

export type ActivityState = typeof noFilter;

const hourMs = 3_600_000;

/** Spans that end now. `custom` has its own ends. */
export const spans: Readonly<Record<string, { label: string; ms?: number }>> = {
  "1h": { label: t("activityFilter.lastHour"), ms: hourMs },
  "24h": { label: t("activityFilter.last24Hours"), ms: 24 * hourMs },
  "7d": { label: t("activityFilter.last7Days"), ms: 168 * hourMs },
  "30d": { label: t("activityFilter.last30Days"), ms: 720 * hourMs },
  custom: { label: t("activityFilter.customRange") },
};

/** An address can be written by hand: what is not a list of known words counts as nothing. */
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === "" || value === undefined ? [] : [String(value)];
const wordsOf = <Word extends string>(value: unknown, known: readonly Word[]): Word[] =>
  known.filter((word) => listOf(value).includes(word));

const some = <Key extends string, Item>(key: Key, items: Item[]) => (items.length > 0 ? ({ [key]: items } as Record<Key, Item[]>) : {});

/** What the controls can show of what the address says. */
export function tidyState(state: ActivityState): ActivityState {
  const [statuses, phase, workflows, triggers, labels] = (["statuses", "phase", "workflows", "triggers", "labels"] as const).map((name) =>
    listOf(state[name]),
  ) as [string[], string[], string[], string[], string[]];
  const { who, span, from, to, page } = state;
  return { statuses, phase, workflows, triggers, labels, who: String(who), span: String(span), from: String(from), to: String(to), page };
}

export function toRunsFilter(state: ActivityState): RunsFilter {
  const span = spans[state.span];
  return {
    ...some("statuses", wordsOf(state.statuses, statuses)),
    ...some("phase", wordsOf(state.phase, phases)),
    ...some("triggers", wordsOf(state.triggers, triggers)),
    ...some("workflows", listOf(state.workflows)),
    ...some(
      "labels",
      listOf(state.labels).filter((pair) => pair.indexOf("=") > 0),
    ),
    ...some("initiators", listOf(state.who)),
    ...(span?.ms !== undefined && { sinceMs: span.ms }),
    ...(state.span === "custom" && state.from !== "" && { from: String(state.from) }),
    ...(state.span === "custom" && state.to !== "" && { to: String(state.to) }),
  };
}

export const isFiltered = (filter: RunsFilter): boolean => Object.keys(filter).length > 0;

/** The same question to the API, as a command. */
export function toCurl(origin: string, team: string, filter: RunsFilter, nowMs: number): string {
  const query = Object.entries({ ...runsQueryParameters(filter, nowMs), order: "DESC", limit: 100 }).map(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return `${name}=${items.map((item) => encodeURIComponent(String(item))).join(",")}`;
  });
  return `curl -sS -H "Authorization: Bearer $TOKEN" \\\n  "${origin}/api/v2/team/${encodeURIComponent(team)}/workflowrun/query?${query.join("&")}"`;
}

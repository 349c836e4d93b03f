import { runSorts } from "@millrace/contract/run/run-sort.ts";
import { phases, statuses, triggers } from "@millrace/contract/status.ts";
import { type RunsFilter, runsQueryParameters } from "../../api/queries/run/activity.ts";
import { triggerWords } from "../../components/run-words.ts";
import { t } from "../../texts/run/activity.ts";
import { dateFormat } from "../../ui/format.ts";
import { statusLook } from "../../ui/mark/status-mark.tsx";

/** The state of the page as the URL stores it: everything that a user may want to share. */
export const noFilter = {
  q: "",
  statuses: [] as string[],
  phase: [] as string[],
  workflows: [] as string[],
  triggers: [] as string[],
  labels: [] as string[],
  who: "",
  span: "",
  from: "",
  to: "",
  /** `yes`, `no`, or empty for all runs. */
  acknowledged: "",
  page: 0,
};

/** How the list is displayed, apart from which runs it shows. */
const noLook = { sort: "creationDate", desc: true, size: 25, columns: [] as string[], saved: "" };

export const noState = { ...noFilter, ...noLook };
export type ActivityState = typeof noState;

export const pageSizes = [25, 50, 100] as const;

const hourMs = 3_600_000;

/** Time ranges that end now. `custom` has its own start and end. */
export const spans: Readonly<Record<string, { label: string; ms?: number }>> = {
  "1h": { label: t("activityFilter.lastHour"), ms: hourMs },
  "24h": { label: t("activityFilter.last24Hours"), ms: 24 * hourMs },
  "7d": { label: t("activityFilter.last7Days"), ms: 168 * hourMs },
  "30d": { label: t("activityFilter.last30Days"), ms: 720 * hourMs },
  custom: { label: t("activityFilter.customRange") },
};

/** Users can edit the URL, so anything that isn't a list of known words is treated as empty. */
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value === "" || value === undefined ? [] : [String(value)];
const wordsOf = <Word extends string>(value: unknown, known: readonly Word[]): Word[] =>
  known.filter((word) => listOf(value).includes(word));

const some = <Key extends string, Item>(key: Key, items: Item[]) => (items.length > 0 ? ({ [key]: items } as Record<Key, Item[]>) : {});

/** The part of the URL's state that the controls can show. */
export function tidyState(state: ActivityState): ActivityState {
  const lists = ["statuses", "phase", "workflows", "triggers", "labels", "columns"] as const;
  const texts = ["q", "who", "span", "from", "to", "acknowledged", "saved"] as const;
  const size = pageSizes.find((one) => one === Number(state.size)) ?? noLook.size;
  return {
    ...state,
    ...(Object.fromEntries(lists.map((name) => [name, listOf(state[name])])) as Pick<ActivityState, (typeof lists)[number]>),
    ...(Object.fromEntries(texts.map((name) => [name, String(state[name])])) as Pick<ActivityState, (typeof texts)[number]>),
    page: Math.max(0, Number(state.page) || 0),
    sort: runSorts.find((one) => one === state.sort) ?? noLook.sort,
    desc: state.desc !== false,
    size,
  };
}

export function toRunsFilter(state: ActivityState): RunsFilter {
  const span = spans[state.span];
  const search = String(state.q).trim().slice(0, 200);
  return {
    ...(search !== "" && { search }),
    ...some("statuses", wordsOf(state.statuses, statuses)),
    ...some("phase", wordsOf(state.phase, phases)),
    ...some("triggers", wordsOf(state.triggers, triggers)),
    ...some("workflows", listOf(state.workflows)),
    ...some(
      "labels",
      listOf(state.labels).filter((pair) => pair.indexOf("=") > 0),
    ),
    ...some("initiators", listOf(state.who)),
    ...((state.acknowledged === "yes" || state.acknowledged === "no") && { acknowledged: state.acknowledged === "yes" }),
    ...(span?.ms !== undefined && { sinceMs: span.ms }),
    ...(state.span === "custom" && state.from !== "" && { from: String(state.from) }),
    ...(state.span === "custom" && state.to !== "" && { to: String(state.to) }),
  };
}

export const isFiltered = (filter: RunsFilter): boolean => Object.keys(filter).length > 0;

/** One filter that is set, as a chip. */
export interface FilterChip {
  key: string;
  /** The field that it filters by. */
  name: string;
  value: string;
  /** The change of state that removes this filter. */
  without: Partial<ActivityState>;
}

/**
 * A chip for each value that is set, except for the search and the statuses, which have their own controls.
 * @param nameOf returns the display name of a workflow or a person
 */
export function chipsOf(state: ActivityState, nameOf: (kind: "workflow" | "who", value: string) => string): FilterChip[] {
  const each = <Key extends "workflows" | "triggers" | "phase" | "labels">(key: Key, name: string, word: (value: string) => string) =>
    state[key].map((value) => ({
      key: `${key} ${value}`,
      name,
      value: word(value),
      without: { [key]: state[key].filter((one) => one !== value) } as Partial<ActivityState>,
    }));
  return [
    ...each("workflows", t("filterChips.workflow"), (value) => nameOf("workflow", value)),
    ...each("triggers", t("filterChips.trigger"), (value) => triggerWords[value as keyof typeof triggerWords] ?? value),
    ...each("phase", t("filterChips.phase"), (value) => (isPhase(value) ? t(`phaseWords.${value}`) : value)),
    ...each("labels", t("filterChips.label"), (value) => value),
    ...(state.who === "" ? [] : [chip("who", t("filterChips.startedBy"), nameOf("who", state.who), { who: "" })]),
    ...(state.acknowledged === "yes" || state.acknowledged === "no"
      ? [chip("acknowledged", t("filterChips.acknowledged"), t(`filterChips.${state.acknowledged}`), { acknowledged: "" })]
      : []),
    ...(spans[state.span] === undefined ? [] : [chip("span", t("filterChips.created"), spanText(state), { span: "", from: "", to: "" })]),
  ];
}

/** The whole filter in words, including the search and the statuses, one line per filter. */
export function filterWordsOf(state: ActivityState, nameOf: Parameters<typeof chipsOf>[1]): string[] {
  const { search, statuses: words = [] } = toRunsFilter(state);
  return [
    ...(search === undefined ? [] : [t("filterChips.search", { search })]),
    ...(words.length === 0 ? [] : [t("filterChips.statuses", { statuses: words.map((status) => statusLook(status).word).join(", ") })]),
    ...chipsOf(state, nameOf).map(({ name, value }) => `${name}: ${value}`),
  ];
}

const chip = (key: string, name: string, value: string, without: Partial<ActivityState>): FilterChip => ({ key, name, value, without });
const isPhase = (value: string): value is (typeof phases)[number] => (phases as readonly string[]).includes(value);

const shortTime = dateFormat({ dateStyle: "medium", timeStyle: "short" });

function spanText({ span, from, to }: ActivityState): string {
  const [begin, end] = [from, to].map((at) => (Number.isNaN(new Date(at).getTime()) ? undefined : new Date(at)));
  if (span !== "custom" || (begin === undefined && end === undefined)) return spans[span]?.label ?? "";
  if (begin !== undefined && end !== undefined) return shortTime.formatRange(begin, end);
  if (begin !== undefined) return t("filterChips.since", { at: shortTime.format(begin) });
  return t("filterChips.until", { at: shortTime.format(end) });
}

/** The same request to the API as a cURL command. */
export function toCurl(origin: string, team: string, filter: RunsFilter, nowMs: number): string {
  const query = Object.entries({ ...runsQueryParameters(filter, nowMs), order: "DESC", limit: 100 }).map(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return `${name}=${items.map((item) => encodeURIComponent(String(item))).join(",")}`;
  });
  return `curl -sS -H "Authorization: Bearer $TOKEN" \\\n  "${origin}/api/v2/team/${encodeURIComponent(team)}/workflowrun/query?${query.join("&")}"`;
}

import type { RunSort } from "@millrace/contract/run/run-sort.ts";
import { toListFilter } from "../../../api/queries/run/run-bulk.ts";
import type { RunView, RunViewRequest } from "../../../api/queries/run/run-views.ts";
import { type ActivityState, noState, spans, tidyState, toRunsFilter } from "../activity-filter.ts";
import { toLocalTime } from "../run-points.ts";

/** The state of the page for a saved view. Parts of its filter that the page has no controls for are left out. */
export function stateOfView({ id, filter, order, sortBy, limit, columns }: Omit<RunView, "name" | "scope" | "isDefault">): ActivityState {
  const { search, labels, initiators, fromDate, toDate, since, acknowledged, statuses, phase, workflows, triggers } = filter;
  const hasRange = fromDate !== undefined || toDate !== undefined;
  return tidyState({
    ...noState,
    q: search ?? "",
    statuses: statuses ?? [],
    phase: phase ?? [],
    workflows: workflows ?? [],
    triggers: triggers ?? [],
    labels: Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`),
    who: initiators?.[0] ?? "",
    acknowledged: acknowledged === undefined ? "" : acknowledged ? "yes" : "no",
    span: since !== undefined && spans[since] !== undefined ? since : hasRange ? "custom" : "",
    from: fromDate === undefined ? "" : toLocalTime(fromDate),
    to: toDate === undefined ? "" : toLocalTime(toDate),
    sort: sortBy ?? noState.sort,
    desc: order !== "ASC",
    size: limit ?? noState.size,
    columns: columns ?? [],
    saved: id,
  });
}

/** The current list as a view to save. Relative time ranges stay relative. @param columns the visible columns */
export function viewOfState(
  state: ActivityState,
  columns: readonly string[],
): Pick<RunViewRequest, "filter" | "order" | "sortBy" | "limit" | "columns"> {
  const { sinceMs, ...filter } = toRunsFilter(state);
  return {
    filter: { ...toListFilter(filter, 0), ...(sinceMs !== undefined && { since: state.span }) },
    order: state.desc ? "DESC" : "ASC",
    sortBy: state.sort as RunSort,
    limit: state.size,
    columns: [...columns],
  };
}

/** The list without any filter, which the viewer's default view doesn't replace. */
export const allRuns: ActivityState = { ...noState, saved: "all" };

/** Whether an address with this state says nothing about which runs are shown, or how. */
export const isBare = (state: ActivityState): boolean => JSON.stringify({ ...state, page: noState.page }) === JSON.stringify(noState);

/** Whether the current list differs from the saved view. */
export function isChanged(view: RunView, state: ActivityState, columns: readonly string[]): boolean {
  const saved = stateOfView(view);
  const asText = (one: ActivityState, shown: readonly string[]) => JSON.stringify(viewOfState(one, [...shown].sort()));
  return asText(saved, view.columns ?? columns) !== asText(state, columns);
}

import type { RunSort } from "@millrace/contract/run/run-sort.ts";
import { toListFilter } from "../../../api/queries/run/run-bulk.ts";
import type { RunView, RunViewRequest } from "../../../api/queries/run/run-views.ts";
import { type ActivityState, noState, spans, tidyState, toRunsFilter } from "../activity-filter.ts";
import { toLocalTime } from "../run-points.ts";

/** What the page shows of a saved view. A filter that has more than the page can show is shown as far as that goes. */
export function stateOfView({ id, filter, order, sortBy, limit, columns }: Omit<RunView, "name" | "scope">): ActivityState {
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

/** What is shown now, to be saved. A span that moves with the time is kept as such. @param columns those that are shown */
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

/** Whether something else is shown than what was saved. */
export function isChanged(view: RunView, state: ActivityState, columns: readonly string[]): boolean {
  const saved = stateOfView(view);
  const asText = (one: ActivityState, shown: readonly string[]) => JSON.stringify(viewOfState(one, [...shown].sort()));
  return asText(saved, view.columns ?? columns) !== asText(state, columns);
}

import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Run = components["schemas"]["WorkflowRun"];

/** Which runs of a team are looked at; members that are left out ask for all. */
export interface RunsFilter {
  statuses?: Run["status"][];
  phase?: Run["phase"][];
  triggers?: Run["trigger"][];
  workflows?: string[];
  /** Pairs `key=value`. */
  labels?: string[];
  /** As `initiatedByRef` tells. */
  initiators?: string[];
  /** Milliseconds before now, for a span that moves with the time. */
  sinceMs?: number;
  /** ISO 8601. */
  from?: string;
  /** ISO 8601. */
  to?: string;
}

/** As the service takes it. @param nowMs milliseconds since the epoch */
export function runsQueryParameters({ sinceMs, from, to, statuses, phase, triggers, ...rest }: RunsFilter, nowMs: number) {
  const fromDate = sinceMs !== undefined ? nowMs - sinceMs : epoch(from);
  const toDate = epoch(to);
  const words = { ...(statuses && { statuses }), ...(phase && { phase }), ...(triggers && { triggers }) };
  return { ...rest, ...words, ...(fromDate !== undefined && { fromDate }), ...(toDate !== undefined && { toDate }) };
}

/** What is not a date is as good as none. */
function epoch(at: string | undefined): number | undefined {
  const ms = at === undefined ? Number.NaN : new Date(at).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

/** A page of a team's runs, newest first. */
export const activityQuery = (team: string, filter: RunsFilter, page: { page: number; limit: number }) =>
  queryOptions({
    queryKey: ["runs", team, "activity", filter, page],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/query", { params: { path: { team }, query: asked(filter, page) } })),
    placeholderData: keepPreviousData,
  });

const asked = (filter: RunsFilter, page: { page: number; limit: number }) => ({
  ...runsQueryParameters(filter, Date.now()),
  ...page,
  order: "DESC" as const,
});

/** The count by status knows neither statuses nor phases nor triggers. */
export const activityCountsQuery = (team: string, { statuses: _, phase: __, triggers: ___, ...filter }: RunsFilter) =>
  queryOptions({
    queryKey: ["run-counts", team, filter],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/workflowrun/count", {
          params: { path: { team }, query: runsQueryParameters(filter, Date.now()) },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Names of the team's workflows, for lists to choose from. */
export const workflowNamesQuery = (team: string) =>
  queryOptions({
    queryKey: ["workflows", team, "names"],
    queryFn: async () => {
      const query = { limit: 1000, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflow/query", { params: { path: { team }, query } }));
      return content.map(({ name, displayName }) => ({ name: name ?? "", displayName: displayName || name || "" }));
    },
  });

export const cancelRun = (team: string, runId: string) =>
  call(api.DELETE("/api/v2/team/{team}/workflowrun/{runId}/cancel", { params: { path: { team, runId } } }));

/** From the beginning, as a new run. */
export const retryRun = (team: string, runId: string) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/{runId}/retry", { params: { path: { team, runId } } }));

/** From the tasks that failed, as a new run. */
export const rerunRun = (team: string, runId: string) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/{runId}/rerun", { params: { path: { team, runId } } }));

import type { components } from "@millrace/client/schema.generated.ts";
import type { RunSort } from "@millrace/contract/run/run-sort.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type Run = components["schemas"]["WorkflowRun"];

/** Which runs of a team are requested; members that are left out ask for all. */
export interface RunsFilter {
  /** Words that must all be found in the run. */
  search?: string;
  statuses?: Run["status"][];
  phase?: Run["phase"][];
  triggers?: Run["trigger"][];
  workflows?: string[];
  /** Pairs `key=value`. */
  labels?: string[];
  /** In the format of `initiatedByRef`. */
  initiators?: string[];
  /** Whether the failure was acknowledged. */
  acknowledged?: boolean;
  /** For a relative time range: its length in milliseconds up to now. */
  sinceMs?: number;
  /** ISO 8601. */
  from?: string;
  /** ISO 8601. */
  to?: string;
}

/** The filter as query parameters. What the page calls running excludes waiting runs. @param nowMs milliseconds since the epoch */
export function runsQueryParameters({ sinceMs, from, to, statuses, phase, triggers, ...rest }: RunsFilter, nowMs: number) {
  const fromDate = sinceMs !== undefined ? nowMs - sinceMs : epoch(from);
  const toDate = epoch(to);
  const isAtWork = statuses?.includes("running") === true && !statuses.includes("waiting");
  const words = {
    ...(statuses && { statuses }),
    ...(isAtWork && { waits: false }),
    ...(phase && { phase }),
    ...(triggers && { triggers }),
  };
  return { ...rest, ...words, ...(fromDate !== undefined && { fromDate }), ...(toDate !== undefined && { toDate }) };
}

/** An invalid date counts as missing. */
function epoch(at: string | undefined): number | undefined {
  const ms = at === undefined ? Number.NaN : new Date(at).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

export interface RunsPage {
  page: number;
  limit: number;
  /** By creation date; left out: newest first. */
  order?: "ASC" | "DESC";
  /** Left out: by creation date. */
  sortBy?: RunSort;
}

/** A page of a team's runs. */
export const activityQuery = (team: string, filter: RunsFilter, page: RunsPage) =>
  queryOptions({
    queryKey: ["runs", team, "activity", filter, page],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/query", { params: { path: { team }, query: asked(filter, page) } })),
    placeholderData: keepPreviousData,
  });

const asked = (filter: RunsFilter, page: RunsPage) => ({
  ...runsQueryParameters(filter, Date.now()),
  order: "DESC" as const,
  ...page,
});

/** A run as a point with time and duration. */
export type RunPoint = Pick<Run, "id" | "status" | "phase" | "waitKinds" | "duration" | "startTime" | "creationDate"> & {
  workflowName: string;
};

/** More points would neither be distinguishable nor worth the data. */
export const mostPoints = 200;

/** The newest matching runs, for a chart. Its key begins with `insights`, since those queries pause after each response. */
export const runPointsQuery = (team: string, filter: RunsFilter) =>
  queryOptions({
    queryKey: ["insights", team, "run-points", filter],
    queryFn: async (): Promise<RunPoint[]> => {
      const query = asked(filter, { page: 0, limit: mostPoints });
      const { content } = await call(api.GET("/api/v2/team/{team}/workflowrun/query", { params: { path: { team }, query } }));
      return content.map(toPoint);
    },
    placeholderData: keepPreviousData,
  });

const toPoint = ({ id, status, phase, waitKinds, duration, startTime, creationDate, workflowName, workflowDisplayName }: Run) => ({
  id,
  status,
  phase,
  duration,
  creationDate,
  ...(waitKinds && { waitKinds }),
  ...(startTime && { startTime }),
  workflowName: workflowDisplayName || workflowName || "",
});

export type RunHit = components["schemas"]["RunSearchHit"];

/** The newest runs that contain all the words, in all teams that the caller may read. */
export const runSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ["run-search", text],
    queryFn: async () => (await call(api.GET("/api/v2/search/workflowrun", { params: { query: { q: text, limit: 8 } } }))).hits,
    staleTime: 10_000,
  });

/** The count by status ignores statuses, phases and triggers in the filter. */
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

/** The names of the team's workflows, for selection lists. */
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

/** As a new run, from the beginning. */
export const retryRun = (team: string, runId: string) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/{runId}/retry", { params: { path: { team, runId } } }));

/** As a new run, from the failed tasks. */
export const rerunRun = (team: string, runId: string) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/{runId}/rerun", { params: { path: { team, runId } } }));

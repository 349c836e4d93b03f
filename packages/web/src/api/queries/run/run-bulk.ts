import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";
import { type RunsFilter, runsQueryParameters } from "./activity.ts";

export type BulkOperation = components["schemas"]["BulkOperation"];
export type RunListFilter = components["schemas"]["RunListFilter"];

/** The filter as a request body. Relative time ranges are fixed at this moment. @param nowMs milliseconds since the epoch */
export function toListFilter(filter: RunsFilter, nowMs: number): RunListFilter {
  const { labels, ...rest } = runsQueryParameters(filter, nowMs);
  const pairs = (labels ?? []).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  return { ...rest, ...(pairs.length > 0 && { labels: Object.fromEntries(pairs) }) };
}

export const startBulk = (team: string, body: components["schemas"]["BulkRequest"]) =>
  call(api.POST("/api/v2/team/{team}/workflowrun/bulk", { params: { path: { team } }, body }));

export const cancelBulk = (team: string, bulkId: string) =>
  call(api.DELETE("/api/v2/team/{team}/workflowrun/bulk/{bulkId}/cancel", { params: { path: { team, bulkId } } }));

/** Runs tell of themselves, the operation does not: while it continues, it is asked for. */
const watchMs = 1_000;

export const bulkQuery = (team: string, bulkId: string) =>
  queryOptions({
    queryKey: ["bulk", team, bulkId],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/bulk/{bulkId}", { params: { path: { team, bulkId } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? watchMs : false),
  });

/** The first runs for which the action failed. */
export const bulkFailuresQuery = (team: string, bulkId: string, failed: number) =>
  queryOptions({
    queryKey: ["bulk", team, bulkId, "failures", failed],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/workflowrun/bulk/{bulkId}/run", {
          params: { path: { team, bulkId }, query: { limit: 100, page: 0, outcomes: ["failed"] } },
        }),
      ),
    enabled: failed > 0,
  });

export const bulkListQuery = (team: string) =>
  queryOptions({
    queryKey: ["bulk", team, "list"],
    queryFn: async () => {
      const params = { path: { team }, query: { limit: 50, page: 0 } };
      return (await call(api.GET("/api/v2/team/{team}/workflowrun/bulk", { params }))).content;
    },
    staleTime: 0,
  });

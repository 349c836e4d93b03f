import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";
import type { RunListFilter } from "./run-bulk.ts";

export type RerunPlan = components["schemas"]["RerunPlan"];
export type RerunPlanTask = components["schemas"]["RerunPlanTask"];
export type RerunOptions = components["schemas"]["RerunPlanRequest"];

const at = "/api/v2/team/{team}/workflowrun/{runId}" as const;

/** What a rerun would do. The plan that was shown stays while another one is made. */
export const rerunPlanQuery = (team: string, runId: string, options: RerunOptions) =>
  queryOptions({
    queryKey: ["run", team, runId, "rerun-plan", options],
    queryFn: () => call(api.POST(`${at}/rerun/plan`, { params: { path: { team, runId } }, body: options })),
    placeholderData: keepPreviousData,
    retry: false,
  });

export const markPlanQuery = (team: string, runId: string, task: string) =>
  queryOptions({
    queryKey: ["run", team, runId, "mark-plan", task],
    queryFn: () => call(api.POST(`${at}/mark-succeeded/plan`, { params: { path: { team, runId } }, body: { task } })),
    retry: false,
  });

/** The reruns of a run. */
export const rerunsQuery = (team: string, runId: string) =>
  queryOptions({
    queryKey: ["run", team, runId, "reruns"],
    queryFn: () => call(api.GET(`${at}/rerun`, { params: { path: { team, runId }, query: { limit: 5, page: 0 } } })),
  });

/** What a rerun of all matching runs would do. */
export const bulkPlanQuery = (team: string, filter: RunListFilter, version: "same" | "latest") =>
  queryOptions({
    queryKey: ["bulk", team, "plan", filter, version],
    queryFn: () =>
      call(api.POST("/api/v2/team/{team}/workflowrun/bulk/plan", { params: { path: { team } }, body: { filter, rerun: { version } } })),
    placeholderData: keepPreviousData,
  });

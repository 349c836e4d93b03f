import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

export type RunView = components["schemas"]["RunView"];
export type RunViewRequest = components["schemas"]["RunViewRequest"];

/** Saved lists of runs: those of the team and the caller's own. */
export const runViewsQuery = (team: string) =>
  queryOptions({
    queryKey: ["run-views", team],
    queryFn: async () => (await call(api.GET("/api/v2/team/{team}/workflowrun/view", { params: { path: { team } } }))).views,
  });

export const createRunView = (team: string, body: RunViewRequest) =>
  call(api.POST("/api/v2/team/{team}/workflowrun/view", { params: { path: { team } }, body }));

export const changeRunView = (team: string, viewId: string, body: RunViewRequest) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/view/{viewId}", { params: { path: { team, viewId } }, body }));

export const deleteRunView = (team: string, viewId: string) =>
  call(api.DELETE("/api/v2/team/{team}/workflowrun/view/{viewId}", { params: { path: { team, viewId } } }));

export const setDefaultRunView = (team: string, viewId: string) =>
  call(api.PUT("/api/v2/team/{team}/workflowrun/view/{viewId}/default", { params: { path: { team, viewId } } }));

export const removeDefaultRunView = (team: string, viewId: string) =>
  call(api.DELETE("/api/v2/team/{team}/workflowrun/view/{viewId}/default", { params: { path: { team, viewId } } }));

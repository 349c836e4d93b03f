import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";

type Schemas = components["schemas"];
export type TryRequest = Schemas["WorkflowTryRequest"];
export type TaskPin = Schemas["TaskPin"];
export type PreviewRequest = Schemas["WorkflowPreviewRequest"];
export type WorkflowPreview = Schemas["WorkflowPreview"];
export type PreviewValue = Schemas["PreviewValue"];
export type PreviewReference = Schemas["PreviewReference"];
export type WorkflowEditing = Schemas["WorkflowEditing"];

/** Runs a draft or a part of it; doesn't count as a run of the workflow. @param key the same for repeated requests of one trial */
export function tryWorkflow(team: string, workflow: string, body: TryRequest, key: string) {
  const params = { path: { team, workflow }, header: { "Idempotency-Key": key } };
  return call(api.POST("/api/v2/team/{team}/workflow/{workflow}/try", { params, body }));
}

/** The current results of expressions in a draft. Nothing is stored. */
export function previewWorkflow(team: string, workflow: string, body: PreviewRequest, signal: AbortSignal): Promise<WorkflowPreview> {
  return call(api.POST("/api/v2/team/{team}/workflow/{workflow}/preview", { params: { path: { team, workflow } }, body, signal }));
}

/** The last runs of a workflow, whose values can be worked with; the newest first. */
export const recentRunsQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["runs", team, "recent", workflow],
    queryFn: async () => {
      const query = { workflows: [workflow], order: "DESC" as const, limit: 10, page: 0 };
      const { content } = await call(api.GET("/api/v2/team/{team}/workflowrun/query", { params: { path: { team }, query } }));
      return content;
    },
    retry: false,
  });

/** Reports that this window is editing the workflow, and returns who else is. */
export function sayEditing(team: string, workflow: string, body: Schemas["WorkflowEditingRequest"]): Promise<WorkflowEditing> {
  return call(api.PUT("/api/v2/team/{team}/workflow/{workflow}/editing", { params: { path: { team, workflow } }, body }));
}

/** The window stops editing. */
export function endEditing(team: string, workflow: string, session: string) {
  const params = { path: { team, workflow }, query: { session } };
  return call(api.DELETE("/api/v2/team/{team}/workflow/{workflow}/editing", { params, keepalive: true }));
}

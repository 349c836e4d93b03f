import type { components } from "@millrace/client/schema.generated.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call, problemsInOwnLanguage } from "../../client.ts";
import { objectId } from "../../object-id.ts";
import { readWorkflow, type Workflow } from "./workflows.ts";

export type WorkflowProblem = components["schemas"]["WorkflowProblem"];

/** A workflow with the ETag to save it with. */
export interface LoadedWorkflow {
  data: Workflow;
  etag: string | undefined;
}

/** @param version 0: the latest */
export const workflowDraftQuery = (team: string, workflow: string, version: number) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "draft", version],
    queryFn: (): Promise<LoadedWorkflow> => readWorkflow(team, workflow, version > 0 ? version : undefined),
  });

/** The references that are possible between `$(` and `)` in the saved workflow. */
export const availableParametersQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "available-parameters"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow/{workflow}/available-parameters", { params: { path: { team, workflow } } })),
  });

/** All errors for which the service would reject the workflow, including a body of the wrong shape, and its warnings. */
export const workflowProblemsQuery = (team: string, body: Workflow) =>
  queryOptions({
    queryKey: ["workflow-problems", team, objectId(body)],
    queryFn: async (): Promise<WorkflowProblem[]> => {
      const request = api.POST("/api/v2/team/{team}/workflow/validate", { params: { path: { team } }, body });
      const { response, error } = await request;
      if (response.status !== 400) return problemsInOwnLanguage(await call(request));
      const { reason = "VALIDATION_FAILED", message = "", errors }: Refusal = error ?? {};
      return problemsInOwnLanguage(
        (errors ?? [{ message }]).map((each) => ({ severity: "error" as const, reason, ...each, ...nodeAt(each.path, body) })),
      );
    },
    gcTime: 10_000,
    retry: false,
  });

interface Refusal {
  reason?: string;
  message?: string;
  errors?: { path?: string; message: string }[];
}

function nodeAt(path: string | undefined, body: Workflow): { node?: string } {
  const index = /^\/?tasks\/(\d+)/.exec(path ?? "")?.[1];
  const node = index === undefined ? undefined : body.tasks?.[Number(index)]?.name;
  return node === undefined ? {} : { node };
}

/** The JSON Schema of a workflow document. */
export const workflowSchemaQuery = queryOptions({
  queryKey: ["schema", "workflow"],
  queryFn: () => call(api.GET("/api/v2/schema/{document}", { params: { path: { document: "workflow" } } })),
  staleTime: Number.POSITIVE_INFINITY,
});

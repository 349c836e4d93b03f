import type { components } from "@millrace/client/schema.generated.ts";
import { ratedRuns, type WorkflowSort } from "@millrace/contract/workflow/workflow-list.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call, callWithTag, keptPageOf } from "../../client.ts";

export type Workflow = components["schemas"]["Workflow"];
export type WorkflowTemplate = components["schemas"]["WorkflowTemplate"];

export interface WorkflowFilter {
  statuses: ("active" | "inactive")[];
  /** Only the user's favourites, or only archived workflows. */
  only?: "favourites" | "archived" | undefined;
  /** Each `KEY=VALUE`, or `KEY` for an empty value; all must match. */
  labels: string[];
  /** Only those without a label of this key. */
  withoutLabel?: string | undefined;
  search: string;
}

interface WorkflowListing extends WorkflowFilter {
  sortBy: WorkflowSort;
  isDescending: boolean;
  page: number;
  limit: number;
}

/** The latest versions of the team's workflows, without their tasks but with their latest runs. */
export const workflowListQuery = (team: string, { sortBy, isDescending, page, limit, ...filter }: WorkflowListing) =>
  queryOptions({
    queryKey: ["workflows", team, "list", { ...filter, sortBy, isDescending, page, limit }],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/workflow/query", {
          params: {
            path: { team },
            query: {
              ...{ limit, page, sortBy, withTasks: false, withRuns: ratedRuns },
              sort: isDescending ? ("DESC" as const) : ("ASC" as const),
              ...toParameters(filter),
            },
          },
        }),
      ),
    placeholderData: keptPageOf(team),
  });

/** The labels of the matching workflows, and how many workflows have each. */
export const workflowLabelsQuery = (team: string, filter: WorkflowFilter) =>
  queryOptions({
    queryKey: ["workflows", team, "labels", filter],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow-label/query", { params: { path: { team }, query: toParameters(filter) } })),
    placeholderData: keptPageOf(team),
  });

function toParameters({ statuses, only, labels, withoutLabel, search }: WorkflowFilter) {
  return {
    ...(statuses.length > 0 && { statuses }),
    archived: only === "archived",
    favourites: only === "favourites",
    ...(labels.length > 0 && { labels: labels.map((label) => (label.includes("=") ? label : `${label}=`)) }),
    ...(withoutLabel !== undefined && { withoutLabel }),
    ...(search !== "" && { search }),
  };
}

/** One workflow with the ETag for a write. @param version left out: the latest */
export const workflowQuery = (team: string, workflow: string, version?: number) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "document", version ?? "latest"],
    queryFn: () => readWorkflow(team, workflow, version),
  });

/** The current state, bypassing the cache, for a change on top of it. */
export async function readWorkflow(
  team: string,
  workflow: string,
  version?: number,
): Promise<{ data: Workflow; etag: string | undefined }> {
  const query = version === undefined ? {} : { version };
  const { data, etag } = await callWithTag(
    api.GET("/api/v2/team/{team}/workflow/{workflow}", { params: { path: { team, workflow }, query } }),
  );
  // The response is text only if YAML was requested.
  return { data: data as Workflow, etag };
}

/**
 * @param replace overwrites the latest version; without it a new version is created
 * @throws {ApiError} 412 if `etag` isn't the current state
 */
export function writeWorkflow(
  team: string,
  document: Workflow,
  { replace = false, etag }: { replace?: boolean; etag?: string | undefined },
) {
  return callWithTag(
    api.PUT("/api/v2/team/{team}/workflow", {
      params: { path: { team }, query: { replace }, ...(etag !== undefined && { header: { "If-Match": etag } }) },
      body: document,
    }),
  );
}

/** Who changed it, when and why, version by version. */
export const workflowChangesQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "changelog"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow/{workflow}/changelog", { params: { path: { team, workflow } } })),
  });

export const templatesQuery = queryOptions({
  queryKey: ["workflow-templates"],
  queryFn: () => call(api.GET("/api/v2/workflowtemplate/query", { params: { query: { limit: 100, page: 0 } } })),
});

/** Whether the workflow has a secret that signs webhooks, and since when. */
export const webhookSecretQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "webhook-secret"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflow/{workflow}/webhook-secret", { params: { path: { team, workflow } } })),
  });

/** The tokens of one workflow. @param id the id of the workflow */
export const workflowTokensQuery = (team: string, id: string) =>
  queryOptions({
    queryKey: ["workflow", team, id, "tokens"],
    queryFn: () =>
      call(
        api.GET("/api/v2/token/query", {
          params: { query: { types: ["workflow"], principals: [id], limit: 100, page: 0, order: "DESC" } },
        }),
      ),
  });

export type TriggerTest = components["schemas"]["TriggerTest"];
export type TriggerTestRequest = components["schemas"]["TriggerTestRequest"];

/** Whether an input matches a trigger; starts nothing. */
export const triggerTestQuery = (team: string, workflow: string, body: TriggerTestRequest) =>
  queryOptions({
    queryKey: ["trigger-test", team, workflow, body],
    queryFn: () => call(api.POST("/api/v2/team/{team}/workflow/{workflow}/trigger/test", { params: { path: { team, workflow } }, body })),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    retry: false,
  });

/** Starts a run as if the tested event had arrived. */
export const submitTested = (team: string, workflow: string, { submission }: TriggerTest) =>
  call(api.POST("/api/v2/team/{team}/workflow/{workflow}/submit", { params: { path: { team, workflow } }, body: submission }));

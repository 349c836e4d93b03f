import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Action = components["schemas"]["Action"];

/** Which actions of a team are requested; members that are left out ask for all. */
export interface ActionsFilter {
  statuses?: Action["status"][];
  types?: Action["type"][];
  workflows?: string[];
  overdue?: boolean;
  /** Only those that wait for the caller. */
  mine?: boolean;
  /** The sort direction. */
  order: "ASC" | "DESC";
  sort: "creationDate" | "deadline";
}

/** Lists contain no forms, and only the beginning of each message. */
export const actionsQuery = (team: string, filter: ActionsFilter, page: { page: number; limit: number }) =>
  queryOptions({
    queryKey: ["actions", team, filter, page],
    queryFn: () =>
      call(api.GET("/api/v2/team/{team}/action/query", { params: { path: { team }, query: { ...filter, ...page, withForms: false } } })),
    placeholderData: keepPreviousData,
  });

export const actionSummaryQuery = (team: string, workflows?: string[]) =>
  queryOptions({
    queryKey: ["action-summary", team, workflows ?? []],
    queryFn: () =>
      call(api.GET("/api/v2/team/{team}/action/summary", { params: { path: { team }, query: workflows?.length ? { workflows } : {} } })),
  });

export const actionQuery = (team: string, actionId: string) =>
  queryOptions({
    queryKey: ["action", team, actionId],
    queryFn: () => call(api.GET("/api/v2/team/{team}/action/{actionId}", { params: { path: { team, actionId } } })),
  });

/** The run that waits for an action: its parameters show what is being decided. */
export const runOfActionQuery = (team: string, runId: string) =>
  queryOptions({
    queryKey: ["run", team, runId, "of-action"],
    queryFn: () =>
      call(api.GET("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team, runId }, query: { withTasks: false } } })),
  });

/** The record of its decision; null if there is none, e.g. for a cancelled action. */
export const decisionQuery = (team: string, actionId: string) =>
  queryOptions({
    queryKey: ["action", team, actionId, "decision"],
    queryFn: async () => {
      const params = { path: { team }, query: { action: actionId, limit: 1 } };
      return (await call(api.GET("/api/v2/team/{team}/decision/query", { params }))).content[0] ?? null;
    },
  });

/**
 * A single vote. The API casts a list of votes as a whole or not at all, so votes on several actions are sent one by one, each with its own
 * result.
 */
export async function castVote(
  team: string,
  { id, approved, comments, values = {} }: { id: string; approved: boolean; comments: string; values?: Record<string, unknown> },
): Promise<void> {
  const body = [{ id, approved, ...(comments !== "" && { comments }), ...(Object.keys(values).length > 0 && { values }) }];
  await call(api.PUT("/api/v2/team/{team}/action", { params: { path: { team } }, body }));
}

export async function commentOnAction(team: string, actionId: string, comments: string): Promise<void> {
  await call(api.POST("/api/v2/team/{team}/action/{actionId}/comment", { params: { path: { team, actionId } }, body: { comments } }));
}

/** Delegates to a person or to an approver group. */
export async function delegateAction(
  team: string,
  actionId: string,
  body: { user?: string; group?: string; comments?: string },
): Promise<void> {
  await call(api.POST("/api/v2/team/{team}/action/{actionId}/delegate", { params: { path: { team, actionId } }, body }));
}

/** The first words of the query keys that a vote invalidates. */
export const touchedByVotes = ["actions", "action", "action-summary", "runs", "run", "run-counts", "task-runs"] as const;

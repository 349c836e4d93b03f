import type { components } from "@millrace/client/schema.generated.ts";
import { stepActionType } from "@millrace/contract/status.ts";
import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../../client.ts";
import type { TaskScope } from "./tasks.ts";

const shownLines = 2_000;

/** The task to try: a saved version (by name, or by id if the global task is meant), or an unsaved document. */
export type Tried = { name: string } & ({ version: number } | { document: string; scope: TaskScope });

/** The request that tries it with these values. */
export function tryBody(tried: Tried, values: Readonly<Record<string, unknown>>): components["schemas"]["TaskTryRequest"] {
  const params = Object.entries(values).map(([name, value]) => ({ name, value }));
  if ("version" in tried) return { version: tried.version, params };
  return { draftDocument: tried.document, draftOf: tried.scope === undefined ? "global" : "team", params };
}

/** Runs a single task in that team. @param key the same for repeated requests of one try */
export function tryTask(team: string, name: string, body: components["schemas"]["TaskTryRequest"], key: string) {
  const params = { path: { team, name }, header: { "Idempotency-Key": key } };
  return call(api.POST("/api/v2/team/{team}/task/{name}/try", { params, body }));
}

export function cancelTry(team: string, run: string) {
  return call(api.DELETE("/api/v2/team/{team}/workflowrun/{runId}/cancel", { params: { path: { team, runId: run } } }));
}

/** The run with its task runs. The stream of the team's changes invalidates it. */
export const tryQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run, "try"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team, runId: run } } })),
  });

/** The first lines of its log. @param isOver the log won't grow any more */
export const tryLogQuery = (taskRun: string, isOver: boolean) =>
  queryOptions({
    queryKey: ["try-log", taskRun, isOver],
    queryFn: async () => {
      const path = { taskRunId: taskRun };
      const request = api.GET("/api/v2/taskrun/{taskRunId}/log", {
        params: { path, query: { limit: shownLines } },
        headers: { accept: "application/json" },
      });
      const answer = await call(request);
      const lines = typeof answer === "object" && "lines" in answer ? answer.lines : [];
      return { lines, hasMore: lines.length === shownLines };
    },
    placeholderData: (before) => before,
  });

export type TaskRun = components["schemas"]["TaskRun"];
export type TaskRunAttempt = components["schemas"]["TaskRunAttempt"];

/** A complete task run, even if the response with its run left out its parameters and results. */
export const taskRunQuery = (team: string, taskRun: string) =>
  queryOptions({
    queryKey: ["task-run", team, taskRun],
    queryFn: () => call(api.GET("/api/v2/team/{team}/taskrun/{taskRunId}", { params: { path: { team, taskRunId: taskRun } } })),
  });

export type TaskDefinition = components["schemas"]["Task"] & { isOfTeam: boolean };

/** The tasks that a workflow of the team can use, in their latest versions. A team's own task hides a global one of the same name. */
export const taskCatalogQuery = (team: string) =>
  queryOptions({
    queryKey: ["tasks", team, "catalog"],
    queryFn: async (): Promise<TaskDefinition[]> => {
      const query = { limit: 1000, page: 0 };
      const [own, global] = await Promise.all([
        call(api.GET("/api/v2/team/{team}/task/query", { params: { path: { team }, query } })),
        call(api.GET("/api/v2/task/query", { params: { query } })),
      ]);
      const names = new Set(own.content.map(({ name }) => name));
      const all = [
        ...own.content.map((task) => ({ ...task, isOfTeam: true })),
        ...global.content.filter(({ name }) => !names.has(name)).map((task) => ({ ...task, isOfTeam: false })),
      ];
      return all.filter(({ type }) => type !== stepActionType);
    },
    staleTime: 60_000,
  });

/** A task in that version. */
export const taskVersionQuery = (team: string, name: string, version: number, isOfTeam: boolean) =>
  queryOptions({
    queryKey: ["task", team, name, "version", version, isOfTeam],
    queryFn: async () => {
      const task = isOfTeam
        ? await call(api.GET("/api/v2/team/{team}/task/{name}", { params: { path: { team, name }, query: { version } } }))
        : await call(api.GET("/api/v2/task/{name}", { params: { path: { name }, query: { version } } }));
      // The response is text only if YAML was requested.
      return task as components["schemas"]["Task"];
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

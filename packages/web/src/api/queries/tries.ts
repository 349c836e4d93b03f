import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { TaskScope } from "./tasks.ts";

/** A try is short and somebody waits for it, in the view of a global task without a stream of changes: it is looked at this often until it is over. */
const lookMs = 1_000;
const shownLines = 2_000;

/** What is tried: a saved version of a task (its name, or its id where exactly the global one is meant), or a document that is not saved. */
export type Tried = { name: string } & ({ version: number } | { document: string; scope: TaskScope });

/** Runs a task by itself in that team. */
export function tryTask(team: string, tried: Tried, values: Readonly<Record<string, unknown>>) {
  const params = Object.entries(values).map(([name, value]) => ({ name, value }));
  const what =
    "version" in tried
      ? { version: tried.version }
      : { draftDocument: tried.document, draftOf: tried.scope === undefined ? ("global" as const) : ("team" as const) };
  return call(api.POST("/api/v2/team/{team}/task/{name}/try", { params: { path: { team, name: tried.name } }, body: { ...what, params } }));
}

export function cancelTry(team: string, run: string) {
  return call(api.DELETE("/api/v2/team/{team}/workflowrun/{runId}/cancel", { params: { path: { team, runId: run } } }));
}

/** The run with its task runs. */
export const tryQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run, "try"],
    queryFn: () => call(api.GET("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team, runId: run } } })),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.phase === "completed" || data.phase === "finalized" ? false : lookMs,
  });

/** The first lines of its log. @param isOver it will not grow any more */
export const tryLogQuery = (taskRun: string, isOver: boolean) =>
  queryOptions({
    queryKey: ["try-log", taskRun, isOver],
    queryFn: async () => {
      const path = { taskRunId: taskRun };
      const request = api.GET("/api/v2/taskrun/{taskRunId}/log", {
        params: { path, query: { limit: shownLines } },
        headers: { accept: "application/json" },
      });
      const { lines } = (await call(request)) as unknown as { lines: { text: string }[] };
      return { lines, hasMore: lines.length === shownLines };
    },
    placeholderData: (before) => before,
    refetchInterval: isOver ? false : lookMs,
  });

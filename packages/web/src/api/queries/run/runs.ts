import type { components } from "@millrace/client/schema.generated.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, call, paced } from "../../client.ts";

export type Run = components["schemas"]["WorkflowRun"];

/** A run with its task runs, and of a forEach with many items a few (`items` counts them). Of a large run not every change is asked for at once. */
export const runQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run],
    queryFn: () =>
      paced(`${team}/${run}`, () =>
        call(
          api.GET("/api/v2/team/{team}/workflowrun/{runId}", {
            params: { path: { team, runId: run }, query: { withTasks: true, view: "summary" } },
          }),
        ),
      ),
  });

/** A run by itself, for what names it. */
export const runHeadQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run, "head"],
    queryFn: () =>
      call(api.GET("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team, runId: run }, query: { withTasks: false } } })),
  });

/** What the end of the run started. */
export const followUpsQuery = (team: string, run: string) =>
  queryOptions({
    queryKey: ["run", team, run, "follow-ups"],
    queryFn: () =>
      call(
        api.GET("/api/v2/team/{team}/workflowrun/{runId}/followups", {
          params: { path: { team, runId: run }, query: { limit: 100, page: 0 } },
        }),
      ),
  });

/** How many runs of a workflow are not over. */
export const openRunCountQuery = (team: string, workflow: string) =>
  queryOptions({
    queryKey: ["workflow", team, workflow, "open-runs"],
    queryFn: async () => {
      const phase: ("pending" | "queued" | "running")[] = ["pending", "queued", "running"];
      const { totalElements } = await call(
        api.GET("/api/v2/team/{team}/workflowrun/query", {
          params: { path: { team }, query: { workflows: [workflow], phase, limit: 1, page: 0 } },
        }),
      );
      return totalElements;
    },
  });

export type RunLogMatch = components["schemas"]["RunLogMatch"];

/** Lines that have the text, in the logs of all tasks of a run. A part of them at a time. */
export const runLogSearchQuery = (team: string, runId: string, text: string) =>
  infiniteQueryOptions({
    queryKey: ["run", team, runId, "log-search", text],
    queryFn: ({ pageParam }) => {
      const query = { text, limit: 100, ...(pageParam !== "" && { from: pageParam }) };
      return call(api.GET("/api/v2/team/{team}/workflowrun/{runId}/log/search", { params: { path: { team, runId }, query } }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

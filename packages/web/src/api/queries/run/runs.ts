import type { components } from "@millrace/client/schema.generated.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, call, paced } from "../../client.ts";

export type Run = components["schemas"]["WorkflowRun"];

/**
 * A run with its task runs; of a forEach with many items only some (`items` has their number). A large run isn't requested on every change.
 */
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

/** A run without its task runs, for links to it. */
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

/** The number of unfinished runs of a workflow. */
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

/** The lines with the text, in the logs of all tasks of a run. Each request searches a part of them. */
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

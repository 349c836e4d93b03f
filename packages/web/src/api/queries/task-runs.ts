import { queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";
import type { components } from "../schema.generated.ts";

export type TaskRun = components["schemas"]["TaskRun"];
export type TaskRunAttempt = components["schemas"]["TaskRunAttempt"];

/** A task run whole, also where the answer with its run left its parameters and results out. */
export const taskRunQuery = (team: string, taskRun: string) =>
  queryOptions({
    queryKey: ["task-run", team, taskRun],
    queryFn: () => call(api.GET("/api/v2/team/{team}/taskrun/{taskRunId}", { params: { path: { team, taskRunId: taskRun } } })),
  });

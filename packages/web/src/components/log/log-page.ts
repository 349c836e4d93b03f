import { api, call } from "../../api/client.ts";
import type { components } from "../../api/schema.generated.ts";

export type LogLine = components["schemas"]["LogLine"];
export interface LogAnswer {
  lines: LogLine[];
  /** Where to go on; missing when the task run is over and all was given. */
  next?: string;
}
/** Lines behind a place of the log. */
export type ReadLog = (after: string | undefined, limit: number) => Promise<LogAnswer>;

/** Reads the log of that task run in pages. */
export function logOf(taskRun: string): ReadLog {
  return (after, limit) =>
    call(
      api.GET("/api/v2/taskrun/{taskRunId}/log", {
        params: { path: { taskRunId: taskRun }, query: { limit, ...(after !== undefined && { after }) } },
        headers: { accept: "application/json" },
      }),
    ) as Promise<unknown> as Promise<LogAnswer>;
}

/** The whole log as it was written, for the browser to keep as a file. */
export function logFile(taskRun: string): string {
  return `/api/v2/taskrun/${encodeURIComponent(taskRun)}/log?follow=false`;
}

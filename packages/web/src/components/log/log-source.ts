import type { components } from "@millrace/client/schema.generated.ts";
import { api, call } from "../../api/client.ts";

export type LogLine = components["schemas"]["LogLine"];

export interface LogAnswer {
  lines: LogLine[];
  /** Where to continue; null when the task run is over and all was given. */
  next: string | null;
  /** The number of the first line, from 1; only in responses to a request by number. */
  firstLine?: number;
}

export type LogFound = components["schemas"]["TaskRunLogSearch"];

/** Criteria for lines; a line must match all of them. */
export interface LineCriteria {
  text?: string;
  step?: string;
  errors?: true;
  /** RE2. */
  pattern?: string;
  /** Applies to text and pattern. */
  matchCase?: true;
}

/** The ways to read the log of one task run. */
export interface LogSource {
  /** Reads its last lines. */
  tail(lines: number): Promise<LogAnswer>;
  /** Reads what was added after that position. */
  after(next: string, limit: number): Promise<LogAnswer>;
  /** @param line from 1 */
  from(line: number, limit: number): Promise<LogAnswer>;
  search(criteria: LineCriteria, fromLine: number): Promise<LogFound>;
}

export function logSource(taskRun: string): LogSource {
  const path = { taskRunId: taskRun };
  const read = (query: { tail?: number; fromLine?: number; after?: string; limit: number }) =>
    call(
      api.GET("/api/v2/taskrun/{taskRunId}/log", { params: { path, query }, headers: { accept: "application/json" } }),
    ) as Promise<unknown> as Promise<LogAnswer>;
  return {
    tail: (lines) => read({ tail: lines, limit: lines }),
    after: (next, limit) => read({ after: next, limit }),
    from: (line, limit) => read({ fromLine: line, limit }),
    search: (criteria, fromLine) =>
      call(api.GET("/api/v2/taskrun/{taskRunId}/log/search", { params: { path, query: { ...criteria, fromLine } } })),
  };
}

/** The URL of the whole log as it was written, for download. */
export function logFile(taskRun: string): string {
  return `/api/v2/taskrun/${encodeURIComponent(taskRun)}/log?follow=false`;
}

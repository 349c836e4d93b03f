import { api, call } from "./client.ts";

/**
 * Resolves when the log has a line of that number, or will have none any more: the service holds the answer until then, so nobody
 * asks again and again. A proxy that gathers answers does no harm, since this one ends with the line. @throws when it is cut off,
 * or given up by the signal
 */
export async function waitForLine(taskRun: string, line: number, signal: AbortSignal): Promise<void> {
  const params = { path: { taskRunId: taskRun }, query: { fromLine: line, limit: 1 } };
  await call(api.GET("/api/v2/taskrun/{taskRunId}/log", { params, headers: { accept: "text/plain" }, parseAs: "text", signal }));
}

import type { Status } from "@millrace/contract/status.ts";

/**
 * Runs of a team as the database packs them for insights: one after the other, each with these numbers in network byte order.
 *
 * | bytes | what |
 * |---|---|
 * | 8 | when it was created, in milliseconds since the epoch |
 * | 8 | milliseconds from its start to its end; NaN if it has not both |
 * | 8 | milliseconds from its creation to its start; NaN if it has not started |
 * | 4 | the index of its workflow in `workflowIds` |
 * | 2 | the index of its status in `packedStatuses`, plus `offsetOfRunning` while something in it runs |
 */
export interface PackedRuns {
  teamId: string;
  workflowIds: readonly string[];
  data: Uint8Array;
}

/** The database stores the indexes, so new statuses must be appended. */
export const packedStatuses = [
  ...(["notstarted", "ready", "running", "waiting"] as const),
  ...(["succeeded", "failed", "invalid", "cancelled", "timedout"] as const),
] satisfies readonly Status[];
export const offsetOfRunning = 0x100;

const bytesOfRun = 30;

/** The same object is reused for all runs. */
export interface InsightRun {
  createdMs: number;
  durationMs: number;
  queuedMs: number;
  /** Index of its workflow in `workflowIds`. */
  workflow: number;
  status: Status;
  isRunning: boolean;
}

export function forEachRun({ data }: PackedRuns, visit: (run: InsightRun) => void): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const run: InsightRun = { createdMs: 0, durationMs: 0, queuedMs: 0, workflow: 0, status: "succeeded", isRunning: false };
  for (let at = 0; at < data.byteLength; at += bytesOfRun) {
    const state = view.getInt16(at + 28);
    run.createdMs = view.getFloat64(at);
    run.durationMs = view.getFloat64(at + 8);
    run.queuedMs = view.getFloat64(at + 16);
    run.workflow = view.getInt32(at + 24);
    run.status = packedStatuses[state % offsetOfRunning]!;
    run.isRunning = state >= offsetOfRunning;
    visit(run);
  }
}

import type { Status } from "@millrace/contract/status.ts";

/**
 * Runs of a team as the database packs them for insights: one after the other, each with these numbers in the order of the network.
 *
 * | bytes | what |
 * |---|---|
 * | 8 | when it was created, in milliseconds since the epoch |
 * | 8 | milliseconds from its start to its end; not a number when it has none of them |
 * | 8 | milliseconds from its creation to its start; not a number when it has not started |
 * | 4 | the place of its workflow in `workflowIds` |
 * | 2 | the place of its status in `packedStatuses`, plus `offsetOfRunning` while something of it runs |
 */
export interface PackedRuns {
  teamId: string;
  workflowIds: readonly string[];
  data: Uint8Array;
}

/** Their places are stored: new ones go to the end. */
export const packedStatuses = [
  ...(["notstarted", "ready", "running", "waiting"] as const),
  ...(["succeeded", "failed", "invalid", "cancelled", "timedout"] as const),
] satisfies readonly Status[];
export const offsetOfRunning = 0x100;

const bytesOfRun = 30;

/** One object for all of them, changed from run to run. */
export interface InsightRun {
  createdMs: number;
  durationMs: number;
  queuedMs: number;
  /** The place of its workflow in `workflowIds`. */
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

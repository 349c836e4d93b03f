import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { type BulkParts, workOnBulk } from "../domain/run/lists/bulk-runs.ts";
import { channels } from "../domain/run/report-changes.ts";

/** If nothing wakes it. */
const intervalMs = 10_000;
/** Between two batches, so that other work can run. */
const pauseMs = 50;

/** Executes actions on many runs. Any number of processes may do it: they share the runs. */
export function createRunBulkService(parts: BulkParts, log: Log): Service {
  const loop = new Loop({
    name: "bulk actions",
    intervalMs,
    log,
    round: async (signal) => ((await workOnBulk(parts, signal)) > 0 ? pauseMs : undefined),
  });
  parts.bus.onWake(channels.bulk, () => loop.wake());
  return loop;
}

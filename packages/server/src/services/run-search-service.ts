import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { indexRuns } from "../domain/run/lists/index-runs.ts";
import { channels } from "../domain/run/report-changes.ts";
import type { Database } from "../store/database/database.ts";
import { hasRunsToIndex, noteMissingIndex } from "../store/run/lists/run-search.ts";

/** After everything is indexed, until the next poll, if no run changes. */
const idleMs = 15_000;
/** Between two batches that were not full, and from the first change of a run to its batch. */
const pauseMs = 1_000;
const batchSize = 500;
/** After a full batch it pauses for this many times as long, because runs are more urgent than their index. */
const restFactor = 8;
const mostRestMs = 4_000;

/** Indexes runs for the search, asynchronously. Any number of processes may do it; each batch is done by one of them. */
export function createRunSearchService(sql: Database, bus: EventBus, log: Log): Service {
  let isChecked = false;
  let isIdle = false;
  const loop = new Loop({
    name: "run search",
    intervalMs: idleMs,
    log,
    round: async () => {
      if (!isChecked) await noteMissingIndex(sql);
      isChecked = true;
      // Before the question, so that a change that it does not see is heard.
      isIdle = true;
      if (!(await hasRunsToIndex(sql))) return undefined;
      isIdle = false;
      const startedAt = performance.now();
      const { isMore } = await indexRuns(sql, batchSize);
      return isMore ? Math.min(mostRestMs, (performance.now() - startedAt) * restFactor) : pauseMs;
    },
  });
  bus.onWake(channels.runs, () => {
    if (!isIdle) return;
    isIdle = false;
    setTimeout(() => loop.wake(), pauseMs).unref();
  });
  return loop;
}

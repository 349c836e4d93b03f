import { performance } from "node:perf_hooks";
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
/** Reading their words takes the process some milliseconds at once. */
const batchSize = 250;
const mostPauseMs = 4_000;

interface FullBatch {
  /** How long it took. */
  tookMs: number;
  /** For how long its first run had waited. */
  lateMs: number;
  /** The part of the time, 0 to 1, in which the process was at work. */
  busyShare: number;
}

/**
 * Milliseconds to pause after a full batch. Requests are more urgent than their index: of a busy process it takes a ninth of the time, and half
 * of an idle one. But the later it is, the shorter it pauses, and not at all from one minute on, so that it catches up under any load that
 * lasts.
 */
export function pauseAfter({ tookMs, lateMs, busyShare }: FullBatch): number {
  const factor = busyShare < 0.25 ? 1 : 8;
  const haste = Math.min(1, Math.max(0, (60_000 - lateMs) / 40_000));
  return Math.min(mostPauseMs, tookMs * factor) * haste;
}

/** Indexes runs for the search, asynchronously. Any number of processes may do it; each batch is done by one of them. */
export function createRunSearchService(sql: Database, bus: EventBus, log: Log): Service {
  let isChecked = false;
  let isIdle = false;
  let load = performance.eventLoopUtilization();
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
      const { isMore, lateMs } = await indexRuns(sql, batchSize);
      const before = load;
      load = performance.eventLoopUtilization();
      const busyShare = performance.eventLoopUtilization(load, before).utilization;
      return isMore ? pauseAfter({ tookMs: performance.now() - startedAt, lateMs, busyShare }) : pauseMs;
    },
  });
  bus.onWake(channels.runs, () => {
    if (!isIdle) return;
    isIdle = false;
    setTimeout(() => loop.wake(), pauseMs).unref();
  });
  return loop;
}

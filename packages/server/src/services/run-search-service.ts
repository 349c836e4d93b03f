import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { indexRuns } from "../domain/run/lists/index-runs.ts";
import type { Database } from "../store/database/database.ts";
import { hasRunsToIndex, noteMissingIndex } from "../store/run/lists/run-search.ts";

/** After everything is indexed, until the next poll. */
const idleMs = 5_000;
/** Between two batches that were not full. */
const pauseMs = 1_000;
const batchSize = 500;
/** After a full batch it pauses for this many times as long, because runs are more urgent than their index. */
const restFactor = 8;
const mostRestMs = 4_000;

/** Indexes runs for the search, asynchronously. Any number of processes may do it; each batch is done by one of them. */
export function createRunSearchService(sql: Database, log: Log): Service {
  let isChecked = false;
  return new Loop({
    name: "run search",
    intervalMs: idleMs,
    log,
    round: async () => {
      if (!isChecked) await noteMissingIndex(sql);
      isChecked = true;
      if (!(await hasRunsToIndex(sql))) return undefined;
      const startedAt = performance.now();
      const { isMore } = await indexRuns(sql, batchSize);
      return isMore ? Math.min(mostRestMs, (performance.now() - startedAt) * restFactor) : pauseMs;
    },
  });
}

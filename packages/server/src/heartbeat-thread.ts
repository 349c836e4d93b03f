import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { HeartbeatData } from "./services/heartbeat.ts";
import { createPool, type Database } from "./store/database/database.ts";
import { sendHeartbeat } from "./store/worker/workers.ts";

/** The program of the thread that services/heartbeat.ts starts: a heartbeat four times a lease, until it gets the message to stop. */
const { address, workerId, leaseSeconds, beats } = workerData as HeartbeatData;
const clock = new BigInt64Array(beats);
const everyMs = (leaseSeconds * 1000) / 4;
/** After a failure; much shorter than the time that a worker has to come back after an outage. */
const retryMs = Math.min(250, everyMs / 4);
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());

function open(): Database {
  return createPool(address, {
    maxConnections: 1,
    prepare: false,
    applicationName: "millrace heartbeat",
    statementTimeoutMs: Math.ceil(everyMs),
    keepsConnections: true,
  });
}

/** Until the message to stop, or until there is no row left to keep alive. */
async function sendBeats(): Promise<void> {
  let sql = open();
  let answeredAt = performance.now();
  while (!stopping.signal.aborted) {
    const startedAt = performance.now();
    const isKept = await beatInTime(sql);
    if (isKept === undefined) {
      // A new connection, instead of the driver's growing pauses, because the lease is running out.
      void sql.end({ timeout: 0 }).catch(() => undefined);
      sql = open();
    } else {
      Atomics.store(clock, 0, process.hrtime.bigint());
      const now = performance.now();
      if (!isKept || now - answeredAt > leaseSeconds * 1000) parentPort?.postMessage("returned");
      if (!isKept) break;
      answeredAt = now;
    }
    const pauseMs = isKept === undefined ? retryMs : Math.max(0, everyMs - (performance.now() - startedAt));
    await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await sql.end({ timeout: 0 }).catch(() => undefined);
}

/** Undefined if there was no response in time. A connection that silently drops everything counts as broken, too. */
async function beatInTime(sql: Database): Promise<boolean | undefined> {
  const late = new AbortController();
  const answer = sendHeartbeat(sql, workerId, leaseSeconds).catch(() => undefined);
  const timeout = wait(Math.max(1_000, everyMs), undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([answer, timeout]).finally(() => late.abort());
}

await sendBeats();
process.exit();

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Log } from "../base/process/log.ts";
import type { DatabaseAddress } from "../store/database/database-address.ts";

/** Extends the lease of a worker while the main event loop is busy. */
export interface Heartbeat {
  /** When the database last responded to it, by the clock of `performance.now()`; 0: not yet. */
  lastBeatAt(): number;
  /** After it resolves, no more heartbeats are sent. */
  stop(): Promise<void>;
}

/** @param onReturn called if the lease had expired in the meantime, or no longer exists: check at once which attempts were lost */
export type StartHeartbeat = (workerId: string, onReturn: () => void) => Heartbeat;

/** The input of the thread. */
export interface HeartbeatData {
  address: DatabaseAddress;
  workerId: string;
  leaseSeconds: number;
  /** A single 64-bit number: `process.hrtime` of the last heartbeat, a clock that all threads share. */
  beats: SharedArrayBuffer;
}

export interface HeartbeatOptions {
  /** The bundle of heartbeat-thread.ts. */
  program: URL;
  /** Directly to the server, not through a pooler. */
  address: DatabaseAddress;
  leaseSeconds: number;
  log: Log;
}

/** How long the thread may take to end on its own. */
const patienceMs = 1_000;

/**
 * Starts the thread that sends heartbeats. It has an event loop and a connection of its own, so that no work of this process delays it; a
 * process that is stopped or killed as a whole sends none. The main loop extends the lease as well, so the failure of the thread alone
 * loses nothing.
 */
export function createHeartbeats({ program, address, leaseSeconds, log }: HeartbeatOptions): StartHeartbeat {
  return (workerId, onReturn) => {
    const beats = new SharedArrayBuffer(8);
    const clock = new BigInt64Array(beats);
    const data: HeartbeatData = { address, workerId, leaseSeconds, beats };
    const thread = new Worker(program, { workerData: data });
    thread.unref();
    const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
    thread.on("message", onReturn);
    thread.on("error", (error) => log.error({ err: error }, "the heartbeat thread failed; heartbeats continue in the main thread"));
    return {
      lastBeatAt: () => toPerformanceTime(Atomics.load(clock, 0)),
      async stop() {
        thread.postMessage("stop");
        const timer = setTimeout(() => void thread.terminate(), patienceMs);
        await ended;
        clearTimeout(timer);
      },
    };
  };
}

function toPerformanceTime(nanoseconds: bigint): number {
  if (nanoseconds === 0n) return 0;
  return performance.now() - Number(process.hrtime.bigint() - nanoseconds) / 1e6;
}

/** Next to the bundle of the service, under the hash of the same sources; undefined if the service runs from its sources. */
export function findHeartbeatProgram(bundle: string): URL | undefined {
  if (!/\/main-[^/]+\.mjs$/.test(bundle)) return undefined;
  const program = new URL(bundle.replace(/\/main-([^/]+\.mjs)$/, "/heartbeat-thread-$1"));
  return existsSync(fileURLToPath(program)) ? program : undefined;
}

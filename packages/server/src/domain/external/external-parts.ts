import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { Log } from "../../base/process/log.ts";
import type { Database } from "../../store/database/database.ts";
import type { ExternalWorkerKey } from "../../store/external/external-workers.ts";
import { EndRecorder, type EndRecorderParts } from "../run/end-recorder.ts";
import type { RunContext } from "../run/run-context.ts";
import { ClaimQueue } from "./claim-queue.ts";
import { createRecentEnvelopes, type ExternalJob, type RecentEnvelopes } from "./prepare-external.ts";

/**
 * Attempts of external workers, as this process remembers them from their claims: what masks their secrets, and what they may leave as
 * results. One that was claimed through another process, or before this one was started, is read when its worker speaks of it.
 */
export interface HeldAttempt {
  workerId: string;
  owner: string;
  job: ExternalJob;
  /** Of its log so far; undefined: not known yet. */
  logBytes: number | undefined;
}

/** What a worker was asking for when that was last written and checked. */
export interface Asking extends ExternalWorkerKey {
  tasks: string;
  waitMs: number;
  /** By the clock of the process. */
  freshUntil: number;
}

export type HeldAttempts = Pick<BoundedCache<HeldAttempt>, "get" | "set" | "delete">;

/** What the requests of external workers share in a process. Rows hold the truth: a worker may come to another process each time. */
export interface ExternalParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  log: Log;
  ends: EndRecorder;
  held: HeldAttempts;
  recent: RecentEnvelopes;
  /** By the id of the worker. */
  asking: Pick<BoundedCache<Asking>, "get" | "set" | "delete">;
  /** Attempts whose ends came through this process from their own worker: its heartbeats need not hear of them. */
  reported: Pick<BoundedCache<true>, "get" | "set">;
  queue: ClaimQueue;
}

/** Attempts that are remembered; the others are read again. */
const maxHeld = 20_000;
const maxAsking = 5_000;

export function openExternalParts(parts: EndRecorderParts & { log: Log }): ExternalParts {
  const { sql, context, log } = parts;
  const bus = parts.bus as EventBus;
  return {
    ...{ sql, context, bus, log },
    ends: new EndRecorder(parts),
    held: new BoundedCache("external-attempts", { maxEntries: maxHeld }),
    recent: createRecentEnvelopes(),
    asking: new BoundedCache("external-asking", { maxEntries: maxAsking }),
    reported: new BoundedCache("external-reported", { maxEntries: maxHeld }),
    queue: new ClaimQueue({ sql, bus, log }),
  };
}

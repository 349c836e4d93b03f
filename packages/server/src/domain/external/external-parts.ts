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
 * The attempts of external workers that this process remembers from their claims: how their secrets are masked, and which results they may
 * have. An attempt that was claimed through another process, or before this one started, is read when its worker mentions it.
 */
export interface HeldAttempt {
  workerId: string;
  owner: string;
  job: ExternalJob;
  /** Bytes of its log so far; undefined if not known yet. */
  logBytes: number | undefined;
}

/** What a worker asked for when that was last written and checked. */
export interface Asking extends ExternalWorkerKey {
  tasks: string;
  waitMs: number;
  /** By the clock of this process. */
  freshUntil: number;
}

export type HeldAttempts = Pick<BoundedCache<HeldAttempt>, "get" | "set" | "delete">;

/**
 * What the requests of external workers share in a process. The rows are authoritative: each request of a worker may reach another process.
 */
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
  /** Attempts that their own worker ended through this process, so its heartbeats need not report them. */
  reported: Pick<BoundedCache<true>, "get" | "set">;
  queue: ClaimQueue;
}

/** How many attempts are remembered; others are read again. */
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

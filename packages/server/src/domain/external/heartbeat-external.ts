import {
  type ExternalWorkerKey,
  endExternalWorker,
  extendExternalLease,
  listAttemptEnds,
  listHeldClaims,
} from "../../store/external/external-workers.ts";
import { channels } from "../run/report-changes.ts";
import { unknownWorker } from "./claim-external.ts";
import type { ExternalParts } from "./external-parts.ts";
import { releaseClaims } from "./give-claims.ts";
import { type AttemptName, nameOf } from "./held-attempts.ts";

/** Longer than a response to a claim takes to arrive. */
const unknownSeconds = 10;

/** How long a heartbeat waits between two checks, unless it is woken earlier. */
const pollMs = 5000;

export interface HeartbeatAnswer {
  leaseSeconds: number;
  /** Attempts of the list that the worker must stop. */
  ended: (AttemptName & { status?: string })[];
}

/**
 * Extends the lease of a worker. The response lists attempts that the worker runs but no longer holds (cancelled, timed out, lost), and may
 * wait until there are some. Attempts that it holds but does not run were claimed by a request whose response never arrived: they are
 * released after a while.
 * @throws NOT_FOUND
 */
export async function heartbeatExternal(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  attempts: readonly AttemptName[],
  waitMs: number,
  signals: readonly AbortSignal[],
): Promise<HeartbeatAnswer> {
  const leaseSeconds = await extendExternalLease(parts.sql, key);
  if (leaseSeconds === undefined) throw unknownWorker(key.id);
  const arrivedAt = performance.now();
  const end = arrivedAt + waitMs;
  for (;;) {
    const woken = watchAttempts(parts, attempts, signals);
    try {
      const ended = await compare(parts, key, attempts, (performance.now() - arrivedAt) / 1000);
      const leftMs = end - performance.now();
      if (ended.length > 0 || leftMs <= 0 || signals.some(({ aborted }) => aborted)) return { leaseSeconds, ended };
      await woken.within(Math.min(leftMs, pollMs));
    } finally {
      woken.stop();
    }
  }
}

/** @param listAge seconds since the worker sent its list, which doesn't include what it claimed later */
async function compare(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  attempts: readonly AttemptName[],
  listAge: number,
): Promise<HeartbeatAnswer["ended"]> {
  const held = await listHeldClaims(parts.sql, key);
  const names = new Set(held.map(nameOf));
  const known = new Set(attempts.map(nameOf));
  const unknown = held.filter((claim) => claim.heldSeconds > unknownSeconds + listAge && !known.has(nameOf(claim)));
  if (unknown.length > 0) await releaseClaims(parts, unknown);
  const gone = attempts.filter((attempt) => !names.has(nameOf(attempt)) && !parts.reported.get(nameOf(attempt)));
  const ends = new Map((await listAttemptEnds(parts.sql, key.teamId, gone)).map((end) => [nameOf(end), end.status]));
  return gone.map(({ id, attempt }) => {
    const status = ends.get(nameOf({ id, attempt }));
    return { id, attempt, ...(status !== undefined && { status }) };
  });
}

/** From now on watches for ends of these attempts that their worker did not report. */
function watchAttempts({ bus, reported }: ExternalParts, attempts: readonly AttemptName[], signals: readonly AbortSignal[]) {
  const names = new Map(attempts.map((attempt) => [attempt.id.toLowerCase(), nameOf(attempt)]));
  const isUnreported = (id: string) => {
    const name = names.get(id);
    return name !== undefined && !reported.get(name);
  };
  let isWoken = false;
  let wake = () => {
    isWoken = true;
  };
  const listener = () => wake();
  const unsubscribe = bus.onWake(channels.attempts, (ended) => (!ended || [...ended].some(isUnreported)) && listener());
  for (const signal of signals) signal.addEventListener("abort", listener);
  return {
    within: (ms: number) =>
      new Promise<void>((resolve) => {
        if (isWoken) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    stop() {
      unsubscribe();
      for (const signal of signals) signal.removeEventListener("abort", listener);
    },
  };
}

/** The worker stops properly: everything it holds is released. @returns how many @throws NOT_FOUND */
export async function leaveExternal(parts: ExternalParts, key: ExternalWorkerKey): Promise<number> {
  parts.asking.delete(key.id);
  if (!(await endExternalWorker(parts.sql, key))) throw unknownWorker(key.id);
  const held = await listHeldClaims(parts.sql, key);
  if (held.length > 0) await releaseClaims(parts, held, false);
  return held.length;
}

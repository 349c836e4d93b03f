import {
  type ExternalWorkerKey,
  endExternalWorker,
  extendExternalLease,
  listAttemptEnds,
  listHeldClaims,
} from "../../store/external/external-workers.ts";
import { channels } from "../run/wake-for-changes.ts";
import { unknownWorker } from "./claim-external.ts";
import type { ExternalParts } from "./external-parts.ts";
import { giveBack } from "./give-claims.ts";
import { type AttemptName, nameOf } from "./held-attempts.ts";

/** Longer than any answer to a claim is on its way. */
const unknownSeconds = 10;

/** How long a heartbeat waits between two looks, when nothing wakes it before. */
const lookMs = 5000;

export interface HeartbeatAnswer {
  leaseSeconds: number;
  /** Attempts of the list that the worker must stop. */
  ended: (AttemptName & { status?: string })[];
}

/**
 * A sign of life. What the worker runs and does not hold any more (cancelled, timed out, lost) is in the answer, which may wait for that.
 * What it holds without running it was claimed by a request whose answer never came: after a while it is given back.
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
      await woken.within(Math.min(leftMs, lookMs));
    } finally {
      woken.stop();
    }
  }
}

/** @param listAge seconds since the worker sent its list, which does not have what it claimed later */
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
  if (unknown.length > 0) await giveBack(parts, unknown);
  const gone = attempts.filter((attempt) => !names.has(nameOf(attempt)) && !parts.reported.get(nameOf(attempt)));
  const ends = new Map((await listAttemptEnds(parts.sql, key.teamId, gone)).map((end) => [nameOf(end), end.status]));
  return gone.map(({ id, attempt }) => {
    const status = ends.get(nameOf({ id, attempt }));
    return { id, attempt, ...(status !== undefined && { status }) };
  });
}

/** Notices the ends of these attempts from now on that their worker did not report. */
function watchAttempts({ bus, reported }: ExternalParts, attempts: readonly AttemptName[], signals: readonly AbortSignal[]) {
  const names = new Map(attempts.map((attempt) => [attempt.id.toLowerCase(), nameOf(attempt)]));
  const isNews = (id: string) => {
    const name = names.get(id);
    return name !== undefined && !reported.get(name);
  };
  let isWoken = false;
  let wake = () => {
    isWoken = true;
  };
  const listener = () => wake();
  const unsubscribe = bus.onWake(channels.attempts, (ended) => (!ended || [...ended].some(isNews)) && listener());
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

/** The worker ends in good order: all that it holds is given back. @returns how many @throws NOT_FOUND */
export async function leaveExternal(parts: ExternalParts, key: ExternalWorkerKey): Promise<number> {
  parts.asking.delete(key.id);
  if (!(await endExternalWorker(parts.sql, key))) throw unknownWorker(key.id);
  const held = await listHeldClaims(parts.sql, key);
  if (held.length > 0) await giveBack(parts, held, false);
  return held.length;
}

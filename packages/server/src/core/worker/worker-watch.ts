/**
 * Which workers are lost? Judged by an engine from what it sees in the database, look by look.
 *
 * A worker's row holds until when its last heartbeat counts, by the database's clock: a heartbeat says "count on me for another
 * MILLRACE_LEASE_SECONDS". When that time is over the worker is lost, with one exception: **time in which the database did not
 * answer does not count**, because no heartbeat could get through. So an engine does not compare two times. For each worker it
 * keeps how much *answered* time is left, and takes from it what passes between two looks:
 *
 *     a new heartbeat             left = until - now
 *     the same one, soon after    left = left - time since the last look
 *     the same one, after a gap   left = at least `returnMs`, the time to come back
 *     left <= 0                   lost
 *
 * A gap is more than `gapMs` between two looks that come about once a second: the database was away, or this engine was (stopped,
 * overloaded, just started), or someone set the clock. This engine cannot distinguish these and need not: each of them is a reason
 * to wait, and another engine that saw no gap does not. Gaps without end must not keep a dead worker alive, so after `maxReturns`
 * of them in a row without a heartbeat, time counts as it passes.
 *
 * What follows, and is tested as properties: a worker that sends a heartbeat every quarter of its lease, and within `returnMs`
 * after a gap, is never lost, however long and often the database is away. A worker that sends none is lost once its lease has
 * passed in looks without a gap, and in any case after `maxReturns` gaps and its lease.
 */
export interface WorkerWatch {
  /** Of the last look, in ms by the database's clock. */
  readonly lookedAt: number | undefined;
  readonly workers: ReadonlyMap<string, WatchedWorker>;
}

export interface WatchedWorker {
  /** What its row says, in ms by the database's clock. */
  readonly until: number;
  readonly leftMs: number;
  /** Gaps since its last heartbeat. */
  readonly returns: number;
}

/** What one look at the database has shown. */
export interface WorkerLook {
  now: number;
  workers: readonly { id: string; until: number }[];
}

export const gapMs = 2_000;
export const returnMs = 6_000;
export const maxReturns = 10;

export const noWatch: WorkerWatch = { lookedAt: undefined, workers: new Map() };

/** @returns the next state, the lost workers, and in how many ms the next worker would be lost */
export function watchWorkers(watch: WorkerWatch, look: WorkerLook): { watch: WorkerWatch; lost: string[]; nextMs: number } {
  const passedMs = watch.lookedAt === undefined ? Number.POSITIVE_INFINITY : look.now - watch.lookedAt;
  const workers = new Map(look.workers.map(({ id, until }) => [id, next(watch.workers.get(id), until, look.now, passedMs)]));
  const lost = [...workers].filter(([, { leftMs }]) => leftMs <= 0).map(([id]) => id);
  const waiting = [...workers.values()].map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0);
  return { watch: { lookedAt: look.now, workers }, lost, nextMs: Math.min(...waiting, Number.POSITIVE_INFINITY) };
}

function next(known: WatchedWorker | undefined, until: number, now: number, passedMs: number): WatchedWorker {
  const isGap = passedMs < 0 || passedMs > gapMs;
  const isSame = known?.until === until;
  const leftMs = isSame ? known.leftMs - (isGap ? 0 : passedMs) : until - now;
  const returns = isSame ? known.returns : 0;
  if (!isGap) return { until, leftMs, returns };
  if (returns >= maxReturns) return { until, leftMs: Math.min(leftMs, until - now), returns };
  return { until, leftMs: Math.max(leftMs, returnMs), returns: returns + 1 };
}

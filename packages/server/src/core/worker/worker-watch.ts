/**
 * Decides which workers are lost. An engine judges this from what it sees in the database, one look after the other.
 *
 * A worker's row has the time until which its last heartbeat counts, by the database's clock: each heartbeat extends it by
 * MILLRACE_LEASE_SECONDS. After that time the worker is lost, with one exception: **time in which the database did not respond does not
 * count**, because no heartbeat could get through. So an engine does not just compare two times. For each worker it keeps how much
 * *responding* time is left, and subtracts what passes between two looks:
 *
 *     a new heartbeat             left = until - now, at most the length of the lease
 *     the same one, soon after    left = left - time since the last look
 *     the same one, after a gap   left = at least `returnMs`, the time to reconnect
 *     left <= 0                   lost
 *
 * The next look comes soon (`soonMs`) if a worker has little time left, and later (`calmMs`) if all have plenty, so that an idle service
 * costs its database little. A gap is a pause that took at least `lateMs` longer than requested: either the database did not respond, or
 * this engine did not run (stopped, overloaded, just started), or the clock was set. The engine can't distinguish these and need not: each
 * is a reason to wait, and another engine that saw no gap does not wait. Endless gaps must not keep a dead worker alive, so after
 * `maxReturns` of them in a row without a heartbeat, all time counts.
 *
 * A clock that was set back leaves leases that end later than any heartbeat could have said. They count no longer than their length from
 * the first look at them, so neither the engines that ran meanwhile nor one that has just started wait until the clock has caught up.
 *
 * This has consequences that are tested as properties: a worker that sends a heartbeat every quarter of its lease, and within `returnMs`
 * after a gap, is never lost, however long and often the database is unavailable. A worker that sends none is lost once its lease has
 * passed in looks without a gap, and in any case after `maxReturns` gaps and its lease.
 */
export interface WorkerWatch {
  /** Time of the last look, in ms by the database's clock. */
  readonly checkedAt: number | undefined;
  /** The requested pause from this look to the next. */
  readonly pauseMs: number;
  readonly workers: ReadonlyMap<string, WatchedWorker>;
}

export interface WatchedWorker {
  /** The time in its row, in ms by the database's clock. */
  readonly until: number;
  readonly leftMs: number;
  /** Number of gaps since its last heartbeat. */
  readonly returns: number;
}

/** What one check of the database has shown. */
export interface WorkerLook {
  now: number;
  /** `leaseMs`: the length of its lease; null for a row of an older program. */
  workers: readonly { id: string; until: number; leaseMs?: number | null }[];
}

const soonMs = 900;
const calmMs = 2_700;
/** More than a calm pause, its tolerance and the time that a heartbeat needs after a gap. */
const plentyMs = 5_500;
export const lateMs = 1_100;
export const returnMs = 6_000;
export const maxReturns = 10;

export const noWatch: WorkerWatch = { checkedAt: undefined, pauseMs: 0, workers: new Map() };

/**
 * @returns the next state, which says in how many ms to look again, the lost workers, and those of them whose lease would still be valid by
 * the clock: it was set back
 */
export function watchWorkers(watch: WorkerWatch, look: WorkerLook): { watch: WorkerWatch; lost: string[]; ahead: string[] } {
  const passedMs = watch.checkedAt === undefined ? Number.POSITIVE_INFINITY : look.now - watch.checkedAt;
  const isGap = passedMs < 0 || passedMs > watch.pauseMs + lateMs;
  const workers = new Map(
    look.workers.map(({ id, until, leaseMs }) => {
      const freshMs = Math.min(until - look.now, leaseMs ?? Number.POSITIVE_INFINITY);
      return [id, next(watch.workers.get(id), until, freshMs, passedMs, isGap)];
    }),
  );
  const lost = [...workers].filter(([, { leftMs }]) => leftMs <= 0).map(([id]) => id);
  const ahead = lost.filter((id) => (workers.get(id)?.until ?? 0) > look.now);
  return { watch: { checkedAt: look.now, pauseMs: pauseFor([...workers.values()]), workers }, lost, ahead };
}

/** Lost workers need no further look: they are handled in this one. */
function pauseFor(workers: readonly WatchedWorker[]): number {
  const leastMs = Math.min(...workers.map(({ leftMs }) => leftMs).filter((leftMs) => leftMs > 0));
  return leastMs > plentyMs ? calmMs : Math.max(1, Math.min(soonMs, leastMs));
}

function next(known: WatchedWorker | undefined, until: number, freshMs: number, passedMs: number, isGap: boolean): WatchedWorker {
  const isSame = known?.until === until;
  const leftMs = isSame ? known.leftMs - (isGap ? 0 : passedMs) : freshMs;
  const returns = isSame ? known.returns : 0;
  if (!isGap) return { until, leftMs, returns };
  if (returns >= maxReturns) return { until, leftMs: Math.min(leftMs, freshMs), returns };
  return { until, leftMs: Math.max(leftMs, returnMs), returns: returns + 1 };
}

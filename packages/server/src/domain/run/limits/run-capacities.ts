import { BoundedCache } from "../../../base/process/bounded-cache.ts";

/** How many processes may use their share of the remaining quota at once. */
const shares = 16;
const fewLeft = 2;
const maxTeams = 10_000;

/** More runs than one database records for a team in a second, regardless of the number of processes (docs/benchmarks.md). */
const mostPerSecond = 10_000;

interface MonthlyRoom {
  month: string;
  max: number;
  left: number;
  /** Epoch milliseconds. Afterwards, others may have used up what the count found. */
  until: number;
}

/**
 * How many runs this process may still submit for a team before it must count the runs of the month again. Counting takes longer the more
 * runs there are, so it isn't done for each submission. After a count, a process may use up a share of the remaining quota. Other processes
 * may do the same at the same time without exceeding the quota together: they don't know of each other's shares, so each share expires
 * before the rest of the quota could be used up. If little is left, each submission is counted, under the team's lock.
 */
export class MonthlyCapacity {
  readonly #rooms = new BoundedCache<MonthlyRoom>("monthly-rooms", { maxEntries: maxTeams });

  /** Takes one without counting. @returns false if the share is used up */
  take(teamId: string, max: number, now: Date): boolean {
    const room = this.#rooms.get(teamId);
    if (!room || room.left <= 0 || room.max !== max || room.month !== monthOf(now) || now.getTime() > room.until) return false;
    room.left -= 1;
    return true;
  }

  /** Stores the result of a count. @returns false if so little is left that each submission must be counted */
  note(teamId: string, max: number, used: number, now: Date): boolean {
    this.#rooms.delete(teamId);
    const left = Math.floor((max - used) / shares);
    if (left < fewLeft) return false;
    const until = now.getTime() + ((max - used) / mostPerSecond) * 1000;
    this.#rooms.set(teamId, { month: monthOf(now), max, left, until });
    return true;
  }
}

/** In UTC, like the quota. */
function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** How long a count of waiting runs is used. */
const freshMs = 1000;

interface WaitingRoom {
  max: number;
  used: number;
  left: number;
  countedAt: number;
}

/**
 * How many runs this process may still submit for a team before it must count the team's waiting runs again. There may be a million of
 * them, so they are counted once per share of the remaining capacity, and at most once a second if nothing is left. Between two counts,
 * every submission counts as a run that will wait. Processes don't know of each other's submissions, so together they may exceed the limit
 * by what they submit between two counts: the limit keeps the database from filling up, and need not be exact.
 */
export class WaitingCapacity {
  readonly #rooms = new BoundedCache<WaitingRoom>("waiting-rooms", { maxEntries: maxTeams });

  /** @returns `free` (and takes one), the number of waiting runs if there is no capacity, or `unknown` if they must be counted */
  take(teamId: string, max: number, now: Date): "free" | "unknown" | number {
    const room = this.#rooms.get(teamId);
    if (!room || room.max !== max) return "unknown";
    if (room.left > 0) {
      room.left -= 1;
      return "free";
    }
    return room.used >= max && now.getTime() - room.countedAt < freshMs ? room.used : "unknown";
  }

  /** Stores the result of a count. */
  note(teamId: string, max: number, used: number, now: Date): void {
    this.#rooms.delete(teamId);
    this.#rooms.set(teamId, { max, used, left: Math.ceil(Math.max(0, max - used) / shares), countedAt: now.getTime() });
  }
}

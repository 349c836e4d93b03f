import { BoundedCache } from "../../../base/process/bounded-cache.ts";

/** As many processes may use their share of the same room at once. */
const shares = 16;
const fewLeft = 2;
const maxTeams = 10_000;

/** More runs than one database records for a team in a second, whatever the number of processes (docs/benchmarks.md). */
const mostPerSecond = 10_000;

interface MonthlyRoom {
  month: string;
  max: number;
  left: number;
  /** Epoch milliseconds. Later others may have used up what the count had found. */
  until: number;
}

/**
 * How many runs this process may still submit for a team before it must count the runs of the month again. Counting takes longer the more
 * there are, so it is not done for each: after a count a process may use up a share of the room that was left, and so may others at the
 * same time, without going beyond the quota together. Nobody knows of the shares of others, so each ends before the rest of the room could
 * be used up. Where little room is left each submission is counted, under the team's lock.
 */
export class MonthlyCapacity {
  readonly #rooms = new BoundedCache<MonthlyRoom>("monthly-rooms", { maxEntries: maxTeams });

  /** Takes one place without counting. @returns false when there is none any more */
  take(teamId: string, max: number, now: Date): boolean {
    const room = this.#rooms.get(teamId);
    if (!room || room.left <= 0 || room.max !== max || room.month !== monthOf(now) || now.getTime() > room.until) return false;
    room.left -= 1;
    return true;
  }

  /** What a count has found. @returns false when so little is left that each submission must be counted */
  note(teamId: string, max: number, used: number, now: Date): boolean {
    this.#rooms.delete(teamId);
    const left = Math.floor((max - used) / shares);
    if (left < fewLeft) return false;
    const until = now.getTime() + ((max - used) / mostPerSecond) * 1000;
    this.#rooms.set(teamId, { month: monthOf(now), max, left, until });
    return true;
  }
}

/** UTC, as the quota counts. */
function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** A count of runs that wait is true for so long. */
const freshMs = 1000;

interface WaitingRoom {
  max: number;
  used: number;
  left: number;
  countedAt: number;
}

/**
 * How many runs this process may still submit for a team before it must count the team's waiting runs again. They may be a million,
 * so they are counted once for a share of the room that is left, and at most once a second where none is left. Between two counts
 * every submission is taken for a run that will wait. Several processes know nothing of each other's submissions, so that together
 * they may go beyond the limit by what they submit between two counts: the limit keeps the database from filling up, and is not an
 * exact one.
 */
export class WaitingCapacity {
  readonly #rooms = new BoundedCache<WaitingRoom>("waiting-rooms", { maxEntries: maxTeams });

  /** @returns `free` (and takes one place), the number of waiting runs when there is no place, or `unknown` when they must be counted */
  take(teamId: string, max: number, now: Date): "free" | "unknown" | number {
    const room = this.#rooms.get(teamId);
    if (!room || room.max !== max) return "unknown";
    if (room.left > 0) {
      room.left -= 1;
      return "free";
    }
    return room.used >= max && now.getTime() - room.countedAt < freshMs ? room.used : "unknown";
  }

  /** What a count has found. */
  note(teamId: string, max: number, used: number, now: Date): void {
    this.#rooms.delete(teamId);
    this.#rooms.set(teamId, { max, used, left: Math.ceil(Math.max(0, max - used) / shares), countedAt: now.getTime() });
  }
}

import { BoundedCache } from "../../base/process/bounded-cache.ts";

/** As many processes may use their share of the same room at once. */
const shares = 16;
const fewLeft = 2;
const maxTeams = 10_000;

interface Room {
  month: string;
  max: number;
  left: number;
}

/**
 * How many runs this process may still submit for a team before it must count the runs of the month again. Counting takes longer the more
 * there are, so it is not done for each: after a count a process may use up a share of the room that was left, and so may others at the
 * same time, without going beyond the quota together. Where little room is left each submission is counted, under the team's lock.
 */
export class MonthlyCapacity {
  readonly #rooms = new BoundedCache<Room>("monthly-rooms", { maxEntries: maxTeams });

  /** Takes one place without counting. @returns false when there is none any more */
  take(teamId: string, max: number, now: Date): boolean {
    const room = this.#rooms.get(teamId);
    if (!room || room.left <= 0 || room.max !== max || room.month !== monthOf(now)) return false;
    room.left -= 1;
    return true;
  }

  /** What a count has found. @returns false when so little is left that each submission must be counted */
  note(teamId: string, max: number, used: number, now: Date): boolean {
    this.#rooms.delete(teamId);
    const left = Math.floor((max - used) / shares);
    if (left < fewLeft) return false;
    this.#rooms.set(teamId, { month: monthOf(now), max, left });
    return true;
  }
}

/** UTC, as the quota counts. */
function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

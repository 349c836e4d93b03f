import { BoundedCache } from "../../base/process/bounded-cache.ts";

const shares = 16;
const freshMs = 1000;
const maxTeams = 10_000;

interface Room {
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
  readonly #rooms = new BoundedCache<Room>("waiting-rooms", { maxEntries: maxTeams });

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

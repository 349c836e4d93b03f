import type { Queryable } from "../../store/database/database.ts";
import { countWaitingRuns } from "../../store/run/submissions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import type { WaitingRooms } from "./waiting-rooms.ts";

/** The quota of runs of a team that have begun and only wait. */
export interface WaitingQuota {
  teamId: string;
  teamName: string;
  max: number;
}

/** Checks a submission against the quota, mostly from memory. @throws QUOTA_EXCEEDED */
export async function checkWaitingQuota(db: Queryable, rooms: WaitingRooms, quota: WaitingQuota, now: Date): Promise<void> {
  const { teamId, teamName, max } = quota;
  if (max === Number.POSITIVE_INFINITY) return;
  let room = rooms.take(teamId, max, now);
  if (room === "unknown") {
    rooms.note(teamId, max, await countWaitingRuns(db, teamId, max), now);
    room = rooms.take(teamId, max, now);
  }
  if (typeof room === "number") throw quotaExceeded("maxWaitingRuns", { team: teamName, used: room, max, retryAfterSeconds: 10 });
}

import type { Queryable, Transaction } from "../../store/database/database.ts";
import { countMonthlyRuns, lockLiveTeam } from "../../store/run/submissions.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";
import type { MonthlyRooms } from "./monthly-rooms.ts";

/** The quota of runs that a team may submit in a calendar month (UTC), retries and child runs included. */
export interface MonthlyQuota {
  teamId: string;
  teamName: string;
  max: number;
}

/**
 * Checks a submission against the quota, mostly from memory.
 *
 * @returns true when so little is left that it must be checked again, with `recheckMonthlyQuota`, where the run is recorded
 * @throws QUOTA_EXCEEDED
 */
export async function checkMonthlyQuota(db: Queryable, rooms: MonthlyRooms, quota: MonthlyQuota, now: Date): Promise<boolean> {
  if (quota.max === Number.POSITIVE_INFINITY || rooms.take(quota.teamId, quota.max, now)) return false;
  const used = await countMonthlyRuns(db, quota.teamId, quota.max);
  refuseWhenUsedUp(quota, used, now);
  return !rooms.note(quota.teamId, quota.max, used, now);
}

/** Under the team's lock, so that of several submissions at once none goes beyond the quota. @throws QUOTA_EXCEEDED, TEAM_INVALID_REF */
export async function recheckMonthlyQuota(tx: Transaction, quota: MonthlyQuota, now: Date): Promise<void> {
  await lockLiveTeam(tx, quota.teamId);
  refuseWhenUsedUp(quota, await countMonthlyRuns(tx, quota.teamId, quota.max), now);
}

function refuseWhenUsedUp({ teamName, max }: MonthlyQuota, used: number, now: Date): void {
  if (used < max) return;
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const retryAfterSeconds = Math.ceil((nextMonth - now.getTime()) / 1000);
  throw quotaExceeded("maxWorkflowRunMonthly", { team: teamName, used, max, retryAfterSeconds });
}

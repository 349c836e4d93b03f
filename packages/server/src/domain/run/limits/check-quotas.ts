import type { RunState } from "../../../core/run/run-state.ts";
import type { Queryable, Transaction } from "../../../store/database/database.ts";
import { countActiveLocked, countMonthlyRuns, countWaitingRuns, lockLiveTeam } from "../../../store/run/submissions.ts";
import { quotaExceeded } from "../../team/quota-exceeded.ts";
import type { MonthlyCapacity, WaitingCapacity } from "./run-capacities.ts";

/** The quota of runs that a team may submit in a calendar month (UTC), including retries and child runs. */
export interface MonthlyQuota {
  teamId: string;
  teamName: string;
  max: number;
}

/**
 * Checks a submission against the quota, usually from memory.
 *
 * @returns true if so little is left that it must be checked again, with `recheckMonthlyQuota`, where the run is recorded
 * @throws QUOTA_EXCEEDED
 */
export async function checkMonthlyQuota(db: Queryable, rooms: MonthlyCapacity, quota: MonthlyQuota, now: Date): Promise<boolean> {
  if (quota.max === Number.POSITIVE_INFINITY || rooms.take(quota.teamId, quota.max, now)) return false;
  const used = await countMonthlyRuns(db, quota.teamId, quota.max);
  refuseWhenUsedUp(quota, used, now);
  return !rooms.note(quota.teamId, quota.max, used, now);
}

/** Under the team's lock, so that concurrent submissions can't exceed the quota. @throws QUOTA_EXCEEDED, TEAM_INVALID_REF */
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

/** The quota of a team's runs that have started and only wait. */
interface WaitingQuota {
  teamId: string;
  teamName: string;
  max: number;
}

/** Checks a submission against the quota, usually from memory. @throws QUOTA_EXCEEDED */
export async function checkWaitingQuota(db: Queryable, rooms: WaitingCapacity, quota: WaitingQuota, now: Date): Promise<void> {
  const { teamId, teamName, max } = quota;
  if (max === Number.POSITIVE_INFINITY) return;
  let room = rooms.take(teamId, max, now);
  if (room === "unknown") {
    rooms.note(teamId, max, await countWaitingRuns(db, teamId, max), now);
    room = rooms.take(teamId, max, now);
  }
  if (typeof room === "number") throw quotaExceeded("maxWaitingRuns", { team: teamName, used: room, max, retryAfterSeconds: 10 });
}

/** How a run is to start, if the team may have a limited number of active runs. */
export interface StartOptions {
  teamName: string;
  maxConcurrent: number;
  /** Its parent waits for it, so it starts without a slot of the team, and gets one like runs that become active again. */
  isChild: boolean;
  /** What happens if it needs a slot and there is none. */
  otherwise: "refused" | "queued";
}

export interface Places extends StartOptions {
  /** The number of runs that have a slot. */
  active: number;
}

/**
 * The slots of the team, counted under its lock if the start may take one. A child run takes none: the row of its parent is already locked,
 * and locking a run before its team could deadlock with the engine.
 */
export async function findPlaces(tx: Transaction, teamId: string, start: StartOptions, started: RunState | undefined): Promise<Places> {
  const mayTakeOne = !start.isChild && start.maxConcurrent !== Number.POSITIVE_INFINITY && started?.activity !== "none";
  return { ...start, active: mayTakeOne ? await countActiveLocked(tx, teamId) : 0 };
}

export function mayHavePlace({ isChild, maxConcurrent }: StartOptions): boolean {
  return !isChild || maxConcurrent === Number.POSITIVE_INFINITY;
}

export function hasFree(places: Places): boolean {
  return mayHavePlace(places) && places.active < places.maxConcurrent;
}

export function refuseWithoutPlace(places: Places, { activity }: RunState): void {
  const { teamName, active, maxConcurrent } = places;
  if (places.isChild || activity === "none" || hasFree(places)) return;
  throw quotaExceeded("maxConcurrentRuns", { team: teamName, used: active, max: maxConcurrent, retryAfterSeconds: 1 });
}

// The quotas that a submission is checked against: of runs, with what a process remembers so that it need not count each time, and of the
// sizes of workspaces.

import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { BoundedCache } from "../../../base/process/bounded-cache.ts";
import type { RunState } from "../../../core/run/run-state.ts";
import type { InstanceSettings } from "../../../core/settings/instance-settings.ts";
import type { Quotas } from "../../../core/team/quota.ts";
import {
  findOversizedWorkspace,
  sizedWorkspaces,
  storageFaults,
  workspaceFaults,
} from "../../../core/workflow/workflow-document-checks.ts";
import type { Queryable, Transaction } from "../../../store/database/database.ts";
import type { SubmissionBatches } from "../../../store/run/submissions.ts";
import { countActiveLocked, countMonthlyRuns, countWaitingRuns, lockLiveTeam } from "../../../store/team/team-limits.ts";
import { quotaExceeded } from "../../team/quota-exceeded.ts";

/** Of a RunContext. */
interface QuotaContext {
  monthlyCapacity: MonthlyCapacity;
  waitingCapacity: WaitingCapacity;
  /** What was recorded must be counted. */
  batches: Pick<SubmissionBatches, "written">;
}

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
export async function checkMonthlyQuota(db: Queryable, context: QuotaContext, quota: MonthlyQuota, now: Date): Promise<boolean> {
  const { monthlyCapacity: rooms, batches } = context;
  if (quota.max === Number.POSITIVE_INFINITY || rooms.take(quota.teamId, quota.max, now)) return false;
  await batches.written();
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
export async function checkWaitingQuota(db: Queryable, context: QuotaContext, quota: WaitingQuota, now: Date): Promise<void> {
  const { waitingCapacity: rooms, batches } = context;
  const { teamId, teamName, max } = quota;
  if (max === Number.POSITIVE_INFINITY) return;
  let room = rooms.take(teamId, max, now);
  if (room === "unknown") {
    await batches.written();
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

/** The limits of a team's workspaces. */
export interface WorkspaceLimits {
  teamName: string;
  quotas: Quotas;
  storage: InstanceSettings["storage"];
}

/**
 * The workspaces of a run: those of the workflow, overridden by those of the request with the same name. Each has its maximum size by the
 * current quotas, so that lowering a quota later does not end a run that has started.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for an invalid size, QUOTA_EXCEEDED for one above the quota of the team
 */
export function runWorkspaces(
  declared: readonly WorkflowWorkspace[],
  requested: readonly WorkflowWorkspace[],
  limits: WorkspaceLimits,
): WorkflowWorkspace[] {
  if (declared.length === 0 && requested.length === 0) return [];
  const { teamName, quotas, storage } = limits;
  const details = [...requested.flatMap(workspaceFaults), ...storageFaults(requested, storage)];
  if (details[0]) throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [`${details[0].path} ${details[0].message}`], { details });
  const merged = [...new Map([...declared, ...requested].map((workspace) => [workspace.name, workspace])).values()];
  refuseOversized(merged, teamName, quotas);
  return sizedWorkspaces(merged, quotas, storage);
}

/** Those of a rerun, limited to the current quota of the team. @throws QUOTA_EXCEEDED if it may have none any more */
export function workspacesAgain(workspaces: readonly WorkflowWorkspace[], limits: WorkspaceLimits): WorkflowWorkspace[] {
  const sized = sizedWorkspaces(workspaces, limits.quotas, limits.storage);
  refuseOversized(sized, limits.teamName, limits.quotas);
  return sized;
}

function refuseOversized(workspaces: readonly WorkflowWorkspace[], team: string, quotas: Quotas): void {
  const oversized = findOversizedWorkspace(workspaces, quotas);
  if (oversized) throw quotaExceeded(oversized.quota, { team, used: oversized.asked, max: oversized.maxGi });
}

// The limits of a team, and what is counted against them before a run is recorded.
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { isNoTrial } from "../workflow/hidden-workflows.ts";

export interface TeamLimits {
  name: string;
  status: "active" | "inactive";
  maxConcurrentRuns: number | null;
  maxWaitingRuns: number | null;
  maxWorkflowRunDuration: number | null;
  maxWorkflowRunMonthly: number | null;
  maxWorkflowStorage: number | null;
  maxWorkflowRunStorage: number | null;
}

/** What a rerun must know about its team. @throws TEAM_INVALID_REF if it was deleted in the meantime */
export async function findTeamLimits(db: Queryable, teamId: string): Promise<TeamLimits> {
  const [row] = await db<TeamLimits[]>`
    select name, status, max_concurrent_runs as "maxConcurrentRuns", max_waiting_runs as "maxWaitingRuns", max_workflow_run_duration as "maxWorkflowRunDuration",
           max_workflow_run_monthly as "maxWorkflowRunMonthly", max_workflow_storage as "maxWorkflowStorage",
           max_workflow_run_storage as "maxWorkflowRunStorage"
    from team where id = ${teamId} and deleted_at is null`;
  if (!row) throw new AppError("TEAM_INVALID_REF", [teamId]);
  return row;
}

/**
 * Locks the team, so that counts in the following statements stay valid.
 *
 * @throws TEAM_INVALID_REF if it was deleted in the meantime, WORKFLOW_TEAM_INACTIVE
 */
export async function lockLiveTeam(db: Queryable, teamId: string): Promise<void> {
  const [team] = await db<{ name: string; status: string }[]>`
    select name, status from team where id = ${teamId} and deleted_at is null for no key update`;
  if (!team) throw new AppError("TEAM_INVALID_REF", [teamId]);
  if (team.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [team.name]);
}

/** Waits for open submissions to the team; later ones wait for this transaction, and see its changes. */
export async function holdSubmissions(db: Queryable, teamId: string): Promise<void> {
  await db`select hold_submissions(${teamId})`;
}

/**
 * Runs that were submitted in this calendar month (UTC), including those of deleted workflows, without trials; not counted beyond `max`.
 */
export async function countMonthlyRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run r where team_id = ${teamId} and ${isNoTrial(db)}
        and id >= id_floor(date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC')
      limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Runs that have started and only wait: a range of an index, read to its end or to `max`. Not for every submission: see check-quotas.ts.
 */
export async function countWaitingRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run where team_id = ${teamId} and phase = 'running' and activity = 'none' limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Locks the team and counts its active runs in a new statement (index run_active): for a run that needs a slot at once.
 *
 * @throws TEAM_INVALID_REF if the team was deleted in the meantime, WORKFLOW_TEAM_INACTIVE
 */
export async function countActiveLocked(db: Queryable, teamId: string): Promise<number> {
  await lockLiveTeam(db, teamId);
  return countActive(db, teamId);
}

/** The same without waiting for the lock. @returns undefined if another transaction holds it, or the team may no longer run anything */
export async function countActiveUnlessLocked(tx: Transaction, teamId: string): Promise<number | undefined> {
  const held = await tx`
    select 1 from team where id = ${teamId} and deleted_at is null and status = 'active' for no key update skip locked`;
  return held.length === 0 ? undefined : countActive(tx, teamId);
}

async function countActive(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from run where team_id = ${teamId} and activity = 'active'`;
  return row?.count ?? 0;
}

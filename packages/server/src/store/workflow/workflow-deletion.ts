import type { Queryable } from "../database/database.ts";
import { andObjects } from "../log/log-objects.ts";
import { removeSearchRows } from "../run/lists/run-search.ts";
import { removeInsightTallies } from "../run/tallies/insight-tallies.ts";
import { lockTaskRunTally, takenAway } from "../run/tallies/task-run-tallies.ts";

/**
 * Runs of the team, or of one workflow of it, that are not over (indexes run_queued and run_running). Under its lock, in a
 * statement after it.
 */
export async function countOpenRuns(db: Queryable, teamId: string, workflowId?: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from run
    where team_id = ${teamId} and phase in ('pending', 'queued', 'running') ${workflowId === undefined ? db`` : db`and workflow_id = ${workflowId}`}`;
  return row!.count;
}

/** Hides the workflow and frees its name, and ends its tokens. Its rows stay for the purge. */
export async function hideWorkflow(db: Queryable, teamId: string, workflowId: string): Promise<void> {
  await db`
    with ended as (delete from token where team_id = ${teamId} and workflow_id = ${workflowId})
    update workflow set deleted_at = (select db_now()) where team_id = ${teamId} and id = ${workflowId}`;
}

/** Hides all workflows of a team, so that the purge finds what they left. */
export async function hideWorkflowsOfTeam(db: Queryable, teamId: string): Promise<void> {
  await db`update workflow set deleted_at = (select db_now()) where team_id = ${teamId} and deleted_at is null`;
}

/**
 * Runs of a hidden workflow that can go: over, and not of this calendar month (UTC), whose number counts against the quota until it
 * is over; trials don't count, and a team that is deleted has no quota, so of these all can go. They are locked, and those that another purge holds are left
 * out.
 */
export async function lockPurgeableRuns(db: Queryable, teamId: string, workflowId: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from run
    where team_id = ${teamId} and workflow_id = ${workflowId} and phase in ('completed', 'finalized')
      and (id < id_floor(date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC')
           or exists (select from workflow w where w.team_id = ${teamId} and w.id = ${workflowId} and starts_with(w.name, 'try~workflow~'))
           or (select deleted_at is not null from team where id = ${teamId}))
    order by id limit ${limit} for update skip locked`;
  return rows.map((row) => row.id);
}

/** In a transaction that has locked them: runs with all that they left behind: task runs, attempts, logs, events, signals, locks and actions with their votes. */
export async function purgeRuns(db: Queryable, teamId: string, runIds: readonly string[]): Promise<void> {
  const runs = [...runIds];
  await removeInsightTallies(db, teamId, runs);
  await removeSearchRows(db, teamId, runs);
  await lockTaskRunTally(db, teamId);
  await db`
    with task as (select id from task_run where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      logs as (delete from log_chunk where team_id = ${teamId} and task_run_id in (select id from task)),
      gone_objects as (delete from log_object where team_id = ${teamId} and task_run_id in (select id from task) returning key),
      ${andObjects(db)},
      attempts as (delete from task_run_attempt where team_id = ${teamId} and task_run_id in (select id from task)),
      events as (delete from run_event where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      signals as (delete from run_signal where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      locks as (delete from task_lock where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      comments as (delete from run_comment where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      reruns as (delete from run_rerun where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      acknowledged as (delete from run_acknowledgement where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      actions as (delete from action where team_id = ${teamId} and run_id = any(${runs}::uuid[])),
      tasks as (delete from task_run where team_id = ${teamId} and run_id = any(${runs}::uuid[]) returning id),
      tallied as (${takenAway(db, teamId)})
    delete from run where team_id = ${teamId} and id = any(${runs}::uuid[])`;
}

/** Removes a hidden workflow of which no run is left, with its versions. False when a run is left. */
export async function purgeWorkflow(db: Queryable, teamId: string, workflowId: string): Promise<boolean> {
  const { count } = await db`
    with gone as (
      delete from workflow w where w.team_id = ${teamId} and w.id = ${workflowId} and w.deleted_at is not null
        and not exists (select from run r where r.team_id = w.team_id and r.workflow_id = w.id)
      returning w.team_id, w.id
    ), actions as (delete from action a using gone where a.team_id = gone.team_id and a.workflow_id = gone.id and a.run_id is null)
    select id from gone`;
  return count > 0;
}

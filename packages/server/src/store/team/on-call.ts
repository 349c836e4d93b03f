import type { Status, WaitKind } from "@millrace/contract/status.ts";
import { limitColumns } from "../alert/watched-runs.ts";
import type { Queryable } from "../database/database.ts";
import { waitKindsOf } from "../run/runs.ts";
import { isNoTrial, isNoTry } from "../workflow/hidden-workflows.ts";

/** What needs attention in several teams. Each statement goes over a limited list of teams, and uses an index for each. */

const teams = (db: Queryable, ids: readonly string[]) => db`
  (select value::uuid as id from json_array_elements_text(${JSON.stringify(ids)}::json)) as team`;

export interface FailedWorkflowRow {
  teamId: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  failed: number;
  /** The newest of them. */
  runId: string;
  status: Status;
  statusMessage: string | null;
  endedAt: Date;
}

/** The most failures that are counted for a team and a status. */
const mostFailures = 100;

/**
 * Workflows with failed runs in the last day, the latest failure first (index run_status). Runs that started more than a week ago are left
 * out.
 */
export async function listFailedWorkflows(db: Queryable, teamIds: readonly string[], limit: number): Promise<FailedWorkflowRow[]> {
  return db<FailedWorkflowRow[]>`
    select w.team_id as "teamId", w.id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName", g.failed,
      r.id as "runId", r.status, left(r.status_message, 300) as "statusMessage", r.ended_at as "endedAt"
    from (
      select f.team_id, f.workflow_id, count(*)::int as failed, (array_agg(f.id order by f.ended_at desc, f.id desc))[1] as id
      from ${teams(db, teamIds)}
      cross join unnest(array['failed', 'timedout', 'invalid']) as s(status)
      cross join lateral (
        select n.team_id, n.workflow_id, n.id, n.ended_at from run n
        where n.team_id = team.id and n.status = s.status and n.id >= id_floor((select db_now()) - interval '7 days')
          and n.ended_at >= (select db_now()) - interval '1 day'
        order by n.id desc limit ${mostFailures}) f
      group by f.team_id, f.workflow_id) g
    join workflow w on w.team_id = g.team_id and w.id = g.workflow_id and w.deleted_at is null and ${isNoTry(db)}
    join run r on r.team_id = g.team_id and r.id = g.id
    order by r.ended_at desc, r.id limit ${limit}`;
}

export interface OldRunRow {
  teamId: string;
  runId: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  createdAt: Date;
  startedAt: Date | null;
  deadline: string | null;
  expected: string | null;
  now: Date;
}

/** The oldest open runs of each team, which are the first to be late (indexes run_running and run_queued). */
export async function listOldRuns(db: Queryable, teamIds: readonly string[], perTeam: number, limit: number): Promise<OldRunRow[]> {
  const oldest = (isRunning: boolean) => db`
    (select o.id, o.workflow_id, o.created_at, o.started_at, o.annotations from run o
     where o.team_id = team.id and ${isRunning ? db`o.phase = 'running'` : db`o.phase in ('pending', 'queued')`} order by o.id limit ${perTeam})`;
  return db<OldRunRow[]>`
    select team.id as "teamId", r.id as "runId", w.id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName",
      r.created_at as "createdAt", r.started_at as "startedAt",
      ${limitColumns(db)}, (select db_now()) as now
    from ${teams(db, teamIds)}
    cross join lateral (${oldest(true)} union all ${oldest(false)}) r
    join workflow w on w.team_id = team.id and w.id = r.workflow_id and w.deleted_at is null and ${isNoTry(db)}
    order by r.id limit ${limit}`;
}

export interface NextRunRow {
  teamId: string;
  scheduleId: string;
  name: string;
  workflowName: string;
  workflowDisplayName: string;
  at: Date;
}

/** The schedules that fire first (index schedule_next). */
export async function listNextRuns(db: Queryable, teamIds: readonly string[], limit: number): Promise<NextRunRow[]> {
  return db<NextRunRow[]>`
    select s.team_id as "teamId", s.id as "scheduleId", s.name, w.name as "workflowName", w.display_name as "workflowDisplayName", s.next_at as at
    from ${teams(db, teamIds)}
    cross join lateral (
      select n.id, n.team_id, n.workflow_id, n.name, n.next_at from schedule n where n.team_id = team.id and n.next_at is not null order by n.next_at, n.id limit ${limit}) s
    join workflow w on w.team_id = s.team_id and w.id = s.workflow_id and w.deleted_at is null
    order by s.next_at, s.id limit ${limit}`;
}

/** So many runs of a team are examined that wait. */
const mostWaiting = 1_000;

/**
 * What runs that only wait are waiting for, with their number (indexes run_running and task_run_run). A run that waits for several things
 * counts for each.
 *
 * @param workflowIds undefined: all
 */
export async function countWaits(
  db: Queryable,
  teamIds: readonly string[],
  workflowIds?: readonly string[],
): Promise<{ kind: WaitKind; count: number }[]> {
  return db<{ kind: WaitKind; count: number }[]>`
    select kind, count(*)::int as count
    from ${teams(db, teamIds)}
    cross join lateral (
      select ${waitKindsOf(db)} from run r
      where r.team_id = team.id and r.phase = 'running' and r.activity = 'none' and ${isNoTrial(db)}
        ${workflowIds === undefined ? db`` : db`and r.workflow_id = any(${[...workflowIds]}::uuid[])`}
      order by r.id desc limit ${mostWaiting}) q
    cross join unnest(q."waitKinds") as kind
    group by kind order by kind`;
}

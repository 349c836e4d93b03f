import type { Status } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";

/**
 * Runs looked at together, of one team or (no team given) of all teams: this file has statements that go over teams, for those who may
 * read the insights of the instance. Runs of deleted workflows count as long as they are kept.
 */

export interface InsightScope {
  /** Undefined: all teams. */
  teamId: string | undefined;
  from: Date;
  /** Exclusive; undefined: no end. */
  to: Date | undefined;
  /** Names or ids; undefined: all. */
  workflows: readonly string[] | undefined;
  /** Undefined: all. */
  statuses: readonly string[] | undefined;
}

/**
 * Ids begin with the time, so a range of time is one of ids: by the primary key, or over all teams by run_by_id, and only in the partitions
 * of its months. The date itself decides at the ends.
 */
const isInRange = (db: Queryable, { teamId, from, to }: InsightScope) => db`
  r.id >= id_floor(greatest(${from}::timestamptz - interval '1 minute', 'epoch')) and r.created_at >= ${from}
  ${teamId === undefined ? db`` : db`and r.team_id = ${teamId}`}
  ${to === undefined ? db`` : db`and r.id <= id_floor(${to}::timestamptz + interval '1 minute') and r.created_at < ${to}`}`;

const matches = (db: Queryable, scope: InsightScope) => db`
  ${isInRange(db, scope)}
  ${scope.statuses ? db`and r.status = any(${[...scope.statuses]})` : db``}
  ${scope.workflows ? db`and r.workflow_id in (${workflowsNamed(db, scope.teamId, scope.workflows)})` : db``}`;

/** Those that were deleted, too: their runs are still counted. */
function workflowsNamed(db: Queryable, teamId: string | undefined, names: readonly string[]) {
  const wanted = names.map((name) => name.toLowerCase());
  return db`
    select w.id from workflow w where (w.name = any(${wanted}) or w.id::text = any(${wanted}))
      ${teamId === undefined ? db`` : db`and w.team_id = ${teamId}`}`;
}

/** The present, and when the first and the last run of a range were made; nulls when there is none. */
export async function findInsightBounds(db: Queryable, scope: InsightScope): Promise<{ now: Date; first: Date | null; last: Date | null }> {
  const [row] = await db<{ now: Date; first: Date | null; last: Date | null }[]>`
    select (select db_now()) as now,
      (select r.created_at from run r where ${isInRange(db, scope)} order by r.id limit 1) as first,
      (select r.created_at from run r where ${isInRange(db, scope)} order by r.id desc limit 1) as last`;
  return row!;
}

/** Counts and durations of some of the runs. Times are milliseconds, null when nothing has ended. */
export interface InsightGroupRow {
  kind: "all" | "day" | "workflow" | "team";
  teamId: string | null;
  workflowId: string | null;
  /** 1 for the first of the days given; 0 is before it. */
  day: number | null;
  total: number;
  succeeded: number;
  failed: number;
  running: number;
  totalMs: number | null;
  /** At 50, 90, 95, 99 and 100 percent. */
  percentilesMs: number[] | null;
  workflowName: string | null;
  workflowDisplayName: string | null;
  isDeleted: boolean;
  teamName: string | null;
}

export interface InsightRows {
  groups: InsightGroupRow[];
  statuses: Partial<Record<Status, number>>;
  /** At 50, 90, 95, 99 and 100 percent, of the time between creation and start. */
  queueMs: number[] | null;
}

/**
 * Everything in one reading of the runs: what is needed of each is kept aside, and then sorted once by team and workflow (which gives the
 * total, too) and once by day. Most of the time goes into the percentiles.
 *
 * @param dayStarts moments at which a day begins, in order
 */
export async function readInsightRows(db: Queryable, scope: InsightScope, dayStarts: readonly Date[]): Promise<InsightRows> {
  const isOneTeam = scope.teamId !== undefined;
  const starts = dayStarts.map((start) => start.toISOString());
  const [row] = await db<{ groups: InsightGroupRow[] | null; statuses: InsightRows["statuses"] | null; queueMs: number[] | null }[]>`
    with picked as materialized (
      select r.team_id, r.workflow_id, r.status, r.phase, width_bucket(r.created_at, (select ${starts}::text[]::timestamptz[])) as day,
        date_part('epoch', r.ended_at - r.started_at) * 1000 as duration, date_part('epoch', r.started_at - r.created_at) * 1000 as queued
      from run r where ${matches(db, scope)}
    ), grouped as (
      select grouping(day) = 0 as is_day, grouping(workflow_id) = 0 as is_workflow, ${isOneTeam ? db`false` : db`grouping(team_id) = 0`} as is_team,
        ${isOneTeam ? db`${scope.teamId!}::uuid as team_id` : db`team_id`}, workflow_id, day, count(*)::int as total, count(*) filter (where status = 'succeeded')::int as succeeded,
        count(*) filter (where status in ('failed', 'timedout', 'invalid'))::int as failed,
        count(*) filter (where phase = 'running')::int as running, round(sum(duration)) as total_ms,
        percentile_cont(array[0.5, 0.9, 0.95, 0.99, 1]) within group (order by duration) as percentiles_ms
      from picked group by grouping sets ((), ${isOneTeam ? db`(workflow_id)` : db`(team_id), (team_id, workflow_id)`}, (day))
    )
    select (select json_agg(json_build_object(
          'kind', case when g.is_day then 'day' when g.is_workflow then 'workflow' when g.is_team then 'team' else 'all' end,
          'teamId', g.team_id, 'workflowId', g.workflow_id, 'day', g.day, 'total', g.total, 'succeeded', g.succeeded, 'failed', g.failed,
          'running', g.running, 'totalMs', g.total_ms, 'percentilesMs', g.percentiles_ms, 'workflowName', w.name,
          'workflowDisplayName', w.display_name, 'isDeleted', w.id is null or w.deleted_at is not null, 'teamName', t.name))
        from grouped g left join workflow w on w.team_id = g.team_id and w.id = g.workflow_id left join team t on t.id = g.team_id) as groups,
      (select json_object_agg(s.status, s.count) from (select status, count(*)::int as count from picked group by status) s) as statuses,
      (select to_json(percentile_cont(array[0.5, 0.9, 0.95, 0.99, 1]) within group (order by queued)) from picked) as "queueMs"`;
  return { groups: row?.groups ?? [], statuses: row?.statuses ?? {}, queueMs: row?.queueMs ?? null };
}

/** Lets the sorts of this transaction stay in memory. */
export async function allowLargeSorts(db: Queryable): Promise<void> {
  await db`select set_config('work_mem', '32MB', true)`;
}

export interface InsightRunRow {
  id: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  status: Status;
  workflowId: string;
  workflowName: string | null;
}

/** The latest of them, newest first. */
export async function listInsightRuns(db: Queryable, scope: InsightScope, limit: number): Promise<InsightRunRow[]> {
  return db<InsightRunRow[]>`
    select r.id, r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt", r.status,
      r.workflow_id as "workflowId", w.name as "workflowName"
    from run r left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where ${matches(db, scope)} order by r.id desc limit ${limit}`;
}

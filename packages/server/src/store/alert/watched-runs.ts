import { deadlineAnnotation, expectedAnnotation } from "../../core/alert/deadline.ts";
import type { Queryable } from "../database/database.ts";

/**
 * Runs that may become late, of all teams that want alerts. A run gets a row when it is first seen open a minute after its submission, so
 * most runs never have one. The row says when to check again; until then the run costs nothing.
 */

/** Submissions are committed within this time. */
const settleSeconds = 60;

/**
 * Adds rows for open runs that are new since the last time. Reads only these, by team (indexes run_running and run_queued): for each team
 * the newest run that was seen is stored.
 *
 * @returns how many
 */
export async function watchNewRuns(tx: Queryable, perTeam: number): Promise<number> {
  const newest = (isQueued: boolean) => tx`
    (select r.id from run r where r.team_id = a.team_id and ${isQueued ? tx`r.phase in ('pending', 'queued')` : tx`r.phase = 'running'`} and r.id > a.seen_run_id
       and r.id < (select id_floor(db_now() - make_interval(secs => ${settleSeconds}))) order by r.id limit ${perTeam})`;
  const { count } = await tx`
    with found as materialized (
      select a.team_id, n.id from alert_team a cross join lateral (
        select o.id from (${newest(false)} union all ${newest(true)}) o
        order by o.id limit ${perTeam}) n
    ), seen as (
      update alert_team a set seen_run_id = f.id from (select distinct on (team_id) team_id, id from found order by team_id, id desc) f
      where a.team_id = f.team_id
    )
    insert into alert_run (team_id, run_id, look_at) select f.team_id, f.id, (select db_now()) from found f on conflict do nothing`;
  return count;
}

export interface WatchedRun {
  teamId: string;
  runId: string;
  /** Null: the run was removed. */
  phase: string | null;
  workflowId: string;
  createdAt: Date;
  startedAt: Date | null;
  /** The annotations of the run, or else of its workflow. */
  deadline: string | null;
  expected: string | null;
  /** Since when its team wants alerts. */
  since: Date;
  now: Date;
}

/** Those that are to be examined now (index alert_run_look), locked until the transaction ends. */
export async function lockWatchedRuns(tx: Queryable, limit: number): Promise<WatchedRun[]> {
  return tx<WatchedRun[]>`
    select a.team_id as "teamId", a.run_id as "runId", r.phase, r.workflow_id as "workflowId", r.created_at as "createdAt",
      r.started_at as "startedAt", ${limitColumns(tx)},
      t.since, (select db_now()) as now
    from (select team_id, run_id, look_at from alert_run where look_at <= (select db_now()) order by ${turn(tx)} limit ${limit} for update) a
    join alert_team t on t.team_id = a.team_id
    left join run r on r.team_id = a.team_id and r.id = a.run_id
    left join workflow w on w.team_id = a.team_id and w.id = r.workflow_id
    order by a.look_at`;
}

/** Of a run `r` and its workflow `w`: what core/alert/deadline.ts reads. */
export const limitColumns = (db: Queryable) => db`
  coalesce(r.annotations ->> ${deadlineAnnotation}, w.annotations ->> ${deadlineAnnotation}) as deadline,
  coalesce(r.annotations ->> ${expectedAnnotation}, w.annotations ->> ${expectedAnnotation}) as expected`;

/** The limits of a run, and the time. */
export async function findLimitTexts(db: Queryable, teamId: string, runId: string) {
  const [row] = await db<{ deadline: string | null; expected: string | null; now: Date }[]>`
    select ${limitColumns(db)}, (select db_now()) as now from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where r.team_id = ${teamId} and r.id = ${runId}`;
  return row!;
}

/** The run that is checked next. */
const turn = (tx: Queryable) => tx`look_at, team_id, run_id`;

/** Puts off the one whose turn it is, without a check of the run itself. */
export async function watchFirstLater(tx: Queryable, minutes: number): Promise<RunKey | undefined> {
  const [run] = await tx<RunKey[]>`
    update alert_run a set look_at = (select db_now()) + make_interval(mins => ${minutes})
    from (select team_id, run_id from alert_run where look_at <= (select db_now()) order by ${turn(tx)} limit 1 for update) f
    where a.team_id = f.team_id and a.run_id = f.run_id
    returning a.team_id as "teamId", a.run_id as "runId"`;
  return run;
}

interface WorkflowKey {
  teamId: string;
  workflowId: string;
}

/** Durations of the successful runs among the newest hundred of each workflow (index run_workflow). */
export async function findUsualDurations(
  db: Queryable,
  workflows: readonly WorkflowKey[],
): Promise<(WorkflowKey & { ms: number | null; medianMs: number | null; runs: number })[]> {
  return db`
    select w."teamId", w."workflowId", d.ms, d."medianMs", d.runs from json_to_recordset(${JSON.stringify(workflows)}::json) as w("teamId" uuid, "workflowId" uuid)
    cross join lateral (
      select count(*)::int as runs, ${shareOf(db, 0.95)} as ms, ${shareOf(db, 0.5)} as "medianMs"
      from (select r.status, r.started_at, r.ended_at from run r where r.team_id = w."teamId" and r.workflow_id = w."workflowId"
            order by r.id desc limit 100) n
      where n.status = 'succeeded' and n.started_at is not null) d`;
}

const shareOf = (db: Queryable, share: number) => db`
  percentile_cont(${share}::float8) within group (order by extract(epoch from n.ended_at - n.started_at)::float8 * 1000)`;

interface RunKey {
  teamId: string;
  runId: string;
}

/** Checks them again at these times. */
export async function watchLater(tx: Queryable, runs: readonly (RunKey & { at: Date })[]): Promise<void> {
  await tx`
    update alert_run a set look_at = l.at from json_to_recordset(${JSON.stringify(runs)}::json) as l("teamId" uuid, "runId" uuid, at timestamptz)
    where a.team_id = l."teamId" and a.run_id = l."runId"`;
}

export async function forgetRuns(tx: Queryable, runs: readonly RunKey[]): Promise<void> {
  await tx`
    delete from alert_run a using json_to_recordset(${JSON.stringify(runs)}::json) as l("teamId" uuid, "runId" uuid)
    where a.team_id = l."teamId" and a.run_id = l."runId"`;
}

/**
 * Records that these runs are late, each with the additional members of its event. The end of a run waits for this, so its event comes
 * after the alert. A run that is locked, or has ended, is left to the next round.
 *
 * @returns the ids of those that were recorded
 */
export async function recordLateRuns(tx: Queryable, late: readonly (RunKey & { members: object })[]): Promise<string[]> {
  const ids = late.map(({ runId }) => runId);
  const teamIds = [...new Set(late.map(({ teamId }) => teamId))];
  const open = await tx<{ id: string }[]>`
    select r.id from run r
    where r.team_id = any(${teamIds}::uuid[]) and r.id = any(${ids}::uuid[]) and r.phase in ('pending', 'queued', 'running')
    order by r.team_id, r.id for share skip locked`;
  const held = new Set(open.map(({ id }) => id));
  const recorded = late.filter(({ runId }) => held.has(runId));
  await tx`
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select r.team_id, 'alert', 'run_late', r.id, r.id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      lineage_after(r.lineage, r.workflow_id), (run_event_data(r, w.name, w.display_name)::jsonb || l.members)::json
    from json_to_recordset(${JSON.stringify(recorded)}::json) as l("teamId" uuid, "runId" uuid, members jsonb)
    join run r on r.team_id = l."teamId" and r.id = l."runId"
    join team t on t.id = r.team_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    order by r.id`;
  return recorded.map(({ runId }) => runId);
}

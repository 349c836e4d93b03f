import type { TaskTimes } from "../../../core/insight/task-times.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { allowLongStatements, transaction } from "../../database/transaction.ts";
import { isNoTrial } from "../../workflow/hidden-workflows.ts";

/**
 * How tasks spent their time: work, and each kind of wait. Reading that for a range from its task runs and their attempts would take
 * seconds, so it is summed up by workflow and task, for each hour and each day (UTC) in which runs have ended.
 *
 * Each team has a moment: the runs that ended before it are in the sums. It is moved forward, and the runs in between are added, in one
 * transaction that locks the row of the moment, so no run is counted twice or left out, even if a process dies. Nothing before that moment
 * changes any more: an ended run stays ended, and it is visible `settledMinutes` after its end, since no transaction lasts that long. Sums
 * are never reduced: the time was spent, even if the run is removed later.
 */

const settledMinutes = 5;
/** Runs per step: each may have thousands of task runs. */
const runsPerStep = 200;
/** Steps of a team per round, so that a team with a long history does not delay the others. */
const stepsPerRound = 100;
/** How many tasks of a workflow are counted separately: a workflow may have ten thousand. */
const tasksByName = 500;
const hoursKeptDays = 100;
const daysKeptDays = 400;

/** Adds the runs that have ended since, of all teams. @returns how many steps that took */
export async function updateTimeTallies(sql: Database, signal?: AbortSignal): Promise<number> {
  let steps = 0;
  for (const teamId of await listTeamsToSum(sql)) {
    for (let left = stepsPerRound; left > 0 && signal?.aborted !== true && (await transaction(sql, (tx) => sumOnce(tx, teamId))); left--)
      steps++;
  }
  await sql`
    delete from time_tally where begins_at < (select db_now()) - make_interval(days => ${hoursKeptDays}) and not is_day
      or begins_at < (select db_now()) - make_interval(days => ${daysKeptDays})`;
  return steps;
}

/** One lookup in the index run_ended for each team. */
async function listTeamsToSum(db: Queryable): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.id from team t left join time_tally_team k on k.team_id = t.id
    where t.deleted_at is null and exists (
      select from run r where r.team_id = t.id and r.ended_at >= coalesce(k.until, '-infinity')
        and r.ended_at < (select db_now()) - make_interval(mins => ${settledMinutes}))`;
  return rows.map(({ id }) => id);
}

/** If two processes do it at once, the second one skips it. @returns whether there may be more to do */
async function sumOnce(tx: Transaction, teamId: string): Promise<boolean> {
  await allowLongStatements(tx);
  await tx`insert into time_tally_team (team_id, until) values (${teamId}, '-infinity') on conflict do nothing`;
  const [moment] = await tx<{ from: string; to: string; isMore: boolean }[]>`
    select k.until::text as from, coalesce(next.ended_at, settled.settled_at)::text as to, next.ended_at is not null as "isMore"
    from (select until from time_tally_team where team_id = ${teamId} for no key update skip locked) k
    cross join lateral (select greatest(k.until, (select db_now()) - make_interval(mins => ${settledMinutes})) as settled_at) settled
    left join lateral (
      select min(r.ended_at) + interval '1 millisecond' as ended_at from (
        select r.ended_at from run r where r.team_id = ${teamId} and r.ended_at >= k.until and r.ended_at < settled.settled_at
        order by r.ended_at offset ${runsPerStep - 1}::int limit 1) r) next on true`;
  if (moment === undefined) return false;
  const { from, to } = moment;
  await tx`
    insert into time_tally as k (team_id, is_day, begins_at, workflow_id, task, task_runs, ${names(tx)})
    select ${teamId}::uuid, unit.is_day, date_trunc(case when unit.is_day then 'day' else 'hour' end, s.ended_at, 'UTC'), s.workflow_id,
      case when s.node < ${tasksByName} then s.task else '' end, count(*), ${sums(tx)}
    from (
      select r.workflow_id, r.ended_at, t.node, ${taskName(tx)} as task, ${taskTimes(tx)}
      from run r join task_run t on t.team_id = r.team_id and t.run_id = r.id ${attemptTimes(tx)}
      where r.team_id = ${teamId} and r.ended_at >= ${from}::timestamptz and r.ended_at < ${to}::timestamptz and ${isNoTrial(tx)}
        and t.started_at is not null and t.type not in ('start', 'end')) s
    cross join (values (false), (true)) unit (is_day)
    group by 1, 2, 3, 4, 5
    order by 2, 3, 4, 5
    on conflict (team_id, is_day, begins_at, workflow_id, task) do update set task_runs = k.task_runs + excluded.task_runs, ${added(tx)}`;
  await tx`update time_tally_team set until = ${to}::timestamptz where team_id = ${teamId}`;
  return moment.isMore;
}

/** Each is a column with `_ms`, in the order of `TimeKind`. */
const names = (db: Queryable) => db`worker_ms, queue_ms, quota_ms, start_ms, retry_ms, lock_ms, person_ms, event_ms, sleep_ms, run_ms`;
const sums = (db: Queryable) => db`
  sum(worker_ms), sum(queue_ms), sum(quota_ms), sum(start_ms), sum(retry_ms), sum(lock_ms), sum(person_ms), sum(event_ms), sum(sleep_ms), sum(run_ms)`;
const added = (db: Queryable) => db`
  worker_ms = k.worker_ms + excluded.worker_ms, queue_ms = k.queue_ms + excluded.queue_ms, quota_ms = k.quota_ms + excluded.quota_ms,
  start_ms = k.start_ms + excluded.start_ms, retry_ms = k.retry_ms + excluded.retry_ms, lock_ms = k.lock_ms + excluded.lock_ms,
  person_ms = k.person_ms + excluded.person_ms, event_ms = k.event_ms + excluded.event_ms, sleep_ms = k.sleep_ms + excluded.sleep_ms,
  run_ms = k.run_ms + excluded.run_ms`;

/** An item of `forEach` counts for its task. */
const taskName = (db: Queryable) => db`case when t.item is null then t.name else regexp_replace(t.name, '\\[\\d+\\]$', '') end`;

/**
 * The columns of `names` for a task run `t` with `attemptTimes`: docs/insights.md defines each. For an open one, up to now. What a waiting
 * task run waited for follows from its type, because the reason is cleared when it ends.
 */
const taskTimes = (db: Queryable) => db`
  greatest(0, coalesce(a.busy, 0) - coalesce(a.quota, 0) - coalesce(a.start, 0))
    + case when t.status = 'running' and t.worker_id is not null then ${sinceStart(db)} else 0 end as worker_ms,
  coalesce(a.queue, 0) + case when t.claimable_at is not null and t.ready_at is not null and t.ready_at <= (select db_now())
    then ${msBetween(db, db`t.ready_at`, db`(select db_now())`)} else 0 end as queue_ms,
  coalesce(a.quota, 0) as quota_ms, coalesce(a.start, 0) as start_ms, coalesce(a.retry, 0) as retry_ms,
  ${ofTypes(db, ["acquirelock"])} as lock_ms, ${ofTypes(db, ["approval", "manual"])} as person_ms, ${ofTypes(db, ["eventwait"])} as event_ms,
  ${ofTypes(db, ["sleep"])} as sleep_ms, ${ofTypes(db, ["runworkflow"])} as run_ms`;

const msBetween = (db: Queryable, from: unknown, to: unknown) =>
  db`greatest(0, round(extract(epoch from ${to as never} - ${from as never}) * 1000))::bigint`;
const sinceStart = (db: Queryable) => msBetween(db, db`t.started_at`, db`coalesce(t.ended_at, (select db_now()))`);
const ofTypes = (db: Queryable, types: readonly string[]) => db`case when t.type = any(${[...types]}) then ${sinceStart(db)} else 0 end`;

/** The attempts of `t` together (index task_run_attempt_task); only tasks of executors have any. */
const attemptTimes = (db: Queryable) => db`
  left join lateral (
    select sum(extract(epoch from one.ended_at - one.started_at) * 1000)::bigint as busy, sum(one.queue)::bigint as queue,
      sum((one.waits ->> 'quotaMs')::numeric)::bigint as quota,
      sum(coalesce((one.waits ->> 'schedulingMs')::numeric, 0) + coalesce((one.waits ->> 'imagePullMs')::numeric, 0)
        + coalesce((one.waits ->> 'startMs')::numeric, 0))::bigint as start,
      sum(greatest(0, extract(epoch from one.started_at - one.ended_before) * 1000 - coalesce(one.queue, 0)))::bigint as retry
    from (
      select a.started_at, a.ended_at, a.waits, (a.waits ->> 'queueMs')::numeric as queue, lag(a.ended_at) over (order by a.attempt) as ended_before
      from task_run_attempt a where a.team_id = t.team_id and a.task_run_id = t.id and a.started_at is not null) one
  ) a on t.type in ('template', 'custom', 'generic', 'script')`;

export interface TaskTimesRow extends TaskTimes {
  task: string;
  taskRuns: number;
}

const columnsOf = (db: Queryable) => db`
  sum(worker_ms)::float8 as worker, sum(queue_ms)::float8 as queue, sum(quota_ms)::float8 as quota, sum(start_ms)::float8 as start,
  sum(retry_ms)::float8 as retry, sum(lock_ms)::float8 as lock, sum(person_ms)::float8 as person, sum(event_ms)::float8 as event,
  sum(sleep_ms)::float8 as sleep, sum(run_ms)::float8 as run`;

/** Of one run, by task, up to now (index task_run_run). */
export async function listTimesOfRun(db: Queryable, teamId: string, runId: string): Promise<TaskTimesRow[]> {
  return db<TaskTimesRow[]>`
    select s.task, count(*)::int as "taskRuns", ${columnsOf(db)} from (
      select ${taskName(db)} as task, ${taskTimes(db)} from task_run t ${attemptTimes(db)}
      where t.team_id = ${teamId} and t.run_id = ${runId} and t.type not in ('start', 'end')
        and (t.started_at is not null or t.claimable_at is not null)) s
    group by s.task`;
}

/** Up to when the sums of a team go; undefined: it has none. */
export async function findTimesEnd(db: Queryable, teamId: string): Promise<Date | undefined> {
  const [row] = await db<{ until: Date }[]>`select until from time_tally_team where team_id = ${teamId} and until > '-infinity'`;
  return row?.until;
}

/** Whole hours; the days are those completely within it. */
export interface TimesRange {
  from: Date;
  to: Date;
  firstDay: Date;
  lastDay: Date;
}

/** By workflow and task: whole days of the range, and the hours at its ends (primary key). */
export async function listTimes(
  db: Queryable,
  teamId: string,
  { from, to, firstDay, lastDay }: TimesRange,
  workflowIds: readonly string[] | undefined,
): Promise<(TaskTimesRow & { workflowId: string })[]> {
  return db`
    select workflow_id as "workflowId", task, sum(task_runs)::float8 as "taskRuns", ${columnsOf(db)} from time_tally
    where team_id = ${teamId} and ((is_day and begins_at >= ${firstDay} and begins_at < ${lastDay})
      or (not is_day and begins_at >= ${from} and begins_at < least(${firstDay}::timestamptz, ${to}::timestamptz))
      or (not is_day and begins_at >= greatest(${lastDay}::timestamptz, ${from}::timestamptz) and begins_at < ${to}))
      ${workflowIds === undefined ? db`` : db`and workflow_id = any(${[...workflowIds]}::uuid[])`}
    group by workflow_id, task`;
}

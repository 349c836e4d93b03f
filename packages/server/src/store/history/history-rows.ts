import type { Queryable } from "../database/database.ts";
import { runStays, stays } from "./history-holds.ts";
import { type HistoryMonth, turnOfMonth } from "./history-partitions.ts";

/**
 * The removal of history in batches of rows: for teams with a shorter retention than the instance, and for partitions of which something
 * stays.
 */

/** Where a batch ends, and the next one begins. */
export interface RowPlace {
  teamId: string;
  id: string;
}

export interface BatchRange {
  /** Only of this team, in all partitions. */
  teamId?: string;
  /** Only of this partition: `202601`, or `default`. */
  month?: string;
  /** Newer rows stay. */
  days: number;
  after?: RowPlace | undefined;
}

/**
 * Runs that ended so many days ago and are not kept. Locked, so that they can't be marked to be kept meanwhile; those that another process
 * has locked are left out.
 */
export async function lockOldRuns(db: Queryable, range: BatchRange, limit: number): Promise<RowPlace[]> {
  return db<RowPlace[]>`
    select run.team_id as "teamId", run.id from ${rowsOf(db, "run", range)} as run
    where ${within(db, "run", range)} and not ${runStays(db, range.days)}
    order by run.team_id, run.id limit ${limit} for update skip locked`;
}

/**
 * Runs with rows in that month and in others: runs of a month that nothing keeps which began or ended near its turns, or ended later, and
 * those that began right after it. Locked like by `lockOldRuns`.
 */
export async function lockRunsAcrossMonths(
  db: Queryable,
  { from, beginsAt, endsAt }: HistoryMonth,
  days: number,
  limit: number,
): Promise<RowPlace[]> {
  return db<RowPlace[]>`
    select run.team_id as "teamId", run.id from run
    where run.id >= ${from} and run.id < id_floor(${endsAt}::timestamptz + ${turnOfMonth}::interval) and not ${runStays(db, days)}
      and (run.id < id_floor(${beginsAt}::timestamptz + ${turnOfMonth}::interval) or run.ended_at >= ${endsAt}::timestamptz - ${turnOfMonth}::interval)
    limit ${limit} for update skip locked`;
}

/**
 * Removes chunks of logs whose run ended so many days ago, unless it is kept. So the log of a run is removed as a whole, however long the
 * run took.
 * @returns how many chunks were checked and removed, and where it ended; the position is missing if none was left
 */
export async function deleteOldLogs(
  db: Queryable,
  range: BatchRange,
  limit: number,
): Promise<{ seen: number; removed: number; place?: RowPlace }> {
  const table = rowsOf(db, "log_chunk", range);
  const [row] = await db<{ seen: number; removed: number; teamId: string; id: string }[]>`
    with page as materialized (
      select chunk.team_id, chunk.id, chunk.task_run_id from ${table} as chunk where ${within(db, "chunk", range)}
      order by chunk.team_id, chunk.id limit ${limit}
    ), gone as materialized (
      select p.team_id, p.id from page p where not exists (
        select from task_run t join run on run.team_id = t.team_id and run.id = t.run_id
        where t.team_id = p.team_id and t.id = p.task_run_id and ${stays(db, range.days)})
    ), removed as (
      delete from ${table} as chunk using gone where chunk.team_id = gone.team_id and chunk.id = gone.id
    )
    select (select count(*)::int from page) as seen, (select count(*)::int from gone) as removed, team_id as "teamId", id
    from page order by team_id desc, id desc limit 1`;
  return row ? { seen: row.seen, removed: row.removed, place: { teamId: row.teamId, id: row.id } } : { seen: 0, removed: 0 };
}

/** Rows of a team that belong to runs of that month, in tables without partitions. @returns true if there may be more */
export async function deleteRowsOfMonth(db: Queryable, teamId: string, { from, to }: HistoryMonth, limit: number): Promise<boolean> {
  let isMore = false;
  for (const table of ["action", "run_event", "run_signal", "task_lock", "run_comment", "run_acknowledgement", "run_rerun"]) {
    const { count } = await db`
      delete from ${db(table)} where team_id = ${teamId} and ctid = any(array(
        select ctid from ${db(table)} where team_id = ${teamId} and run_id >= ${from} and run_id < ${to} limit ${limit}))`;
    isMore ||= count === limit;
  }
  return isMore;
}

/** Audit records outside of all monthly partitions, from a backup of an older instance. @returns how many */
export async function deleteOldAuditRecords(db: Queryable, days: number, limit: number): Promise<number> {
  const { count } = await db`
    delete from audit_default where id in (
      select id from audit_default where id < (select id_floor(db_now() - make_interval(days => ${days}))) limit ${limit})`;
  return count;
}

/**
 * Removes actions about proposals that were closed so many days ago, with their votes and drafts (index action_of_version). In all teams,
 * or in one.
 * @returns how many
 */
export async function deleteOldProposals(
  db: Queryable,
  { teamId, days }: { teamId?: string; days: number },
  limit: number,
): Promise<number> {
  const { count } = await db`
    delete from action where (team_id, id) in (
      select team_id, id from action where run_id is null and decided_at < (select db_now()) - make_interval(days => ${days})
        ${teamId === undefined ? db`` : db`and team_id = ${teamId}`} limit ${limit})`;
  return count;
}

/** Teams that may have history, including deleted ones, with their own retention in days. */
export async function listTeamRetentions(db: Queryable): Promise<{ teamId: string; retention: Record<string, number> }[]> {
  return db<{ teamId: string; retention: Record<string, number> }[]>`select id as "teamId", retention from team order by id`;
}

function rowsOf(db: Queryable, table: string, { month }: BatchRange) {
  return month === undefined ? db(table) : db(`${table}_${month}`);
}

function within(db: Queryable, alias: string, { teamId, days, after }: BatchRange) {
  const rows = db(alias);
  return db`${rows}.id < (select id_floor(db_now() - make_interval(days => ${days})))
    ${teamId === undefined ? db`` : db`and ${rows}.team_id = ${teamId}`}
    ${after === undefined ? db`` : db`and (${rows}.team_id, ${rows}.id) > (${after.teamId}, ${after.id})`}`;
}

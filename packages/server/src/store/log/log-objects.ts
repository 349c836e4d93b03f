import type { Database, Queryable, Transaction } from "../database/database.ts";
import { stays } from "../history/history-holds.ts";
import type { HistoryMonth } from "../history/history-partitions.ts";
import { isRunLeaving } from "../history/history-removal.ts";

/**
 * Logs in objects of the log store. A row here says that the lines of an attempt are in an object. The row is inserted in the transaction
 * that removes the chunks, after the object was stored and read back, and an object is removed after its row. So there is never a row
 * without its object. An object without a row has a row in log_object_unused: it is noted there before it is written, and by the
 * transaction that removes its row.
 */

export interface LogObjectRow {
  attempt: number;
  key: string;
}

/** Of a task run, by attempt. */
export async function listLogObjects(db: Queryable, teamId: string, taskRunId: string): Promise<LogObjectRow[]> {
  return db<LogObjectRow[]>`
    select attempt, key from log_object where team_id = ${teamId} and task_run_id = ${taskRunId} order by attempt`;
}

/** What core/log/log-index.ts reads. Undefined: it was removed in the meantime. */
export async function findLogIndex(
  db: Queryable,
  teamId: string,
  taskRunId: string,
  { attempt, key }: LogObjectRow,
): Promise<Uint8Array | undefined> {
  const [row] = await db<{ chunks: Uint8Array }[]>`
    select chunks from log_object where team_id = ${teamId} and task_run_id = ${taskRunId} and attempt = ${attempt} and key = ${key}`;
  return row?.chunks;
}

export interface MovedLog extends LogObjectRow {
  teamId: string;
  taskRunId: string;
  bytes: number;
  sha256: string;
  lines: number;
  chunks: Uint8Array;
  /** Numbers of the chunks that are in the object. */
  seqs: readonly number[];
}

/** The log was removed or moved in the meantime, or the object was given up: nothing was changed. */
export class LogNotMoved extends Error {}

/**
 * Replaces the chunks with the object. Their task run is locked, so that it is not removed meanwhile.
 * @throws LogNotMoved
 */
export async function replaceChunks(tx: Transaction, moved: MovedLog): Promise<void> {
  const { teamId, taskRunId, attempt, key, seqs } = moved;
  if (seqs.length === 0) throw new LogNotMoved("its lines were removed");
  const [task] = await tx<{ runId: string }[]>`
    select run_id as "runId" from task_run where id = ${taskRunId} and (team_id = ${teamId}) is true for key share`;
  if (task === undefined || (await isRunLeaving(tx, task.runId))) throw new LogNotMoved("its run was removed");
  const { count: noted } = await tx`delete from log_object_unused where key = ${key} and not is_going`;
  if (noted === 0) throw new LogNotMoved("it took too long to store it");
  const [gone] = await tx<{ count: number }[]>`
    with gone as (
      delete from log_chunk where team_id = ${teamId} and task_run_id = ${taskRunId} and attempt = ${attempt} and seq = any(${[...seqs]}::int[])
      returning seq)
    select count(distinct seq)::int as count from gone`;
  if (gone!.count !== seqs.length) throw new LogNotMoved("its lines were removed");
  await tx`
    insert into log_object (team_id, task_run_id, attempt, key, bytes, sha256, lines, chunks)
    values (${teamId}, ${taskRunId}, ${attempt}, ${key}, ${moved.bytes}, ${moved.sha256}, ${moved.lines}, ${moved.chunks})`;
}

/** How long an object that is being written is not removed. */
const writingHours = 6;

export async function noteLogObject(db: Queryable, key: string): Promise<void> {
  await db`insert into log_object_unused (key, due_at) values (${key}, (select db_now()) + make_interval(hours => ${writingHours}))`;
}

/** From now on nothing can need these objects. They include those of a process that died while it removed them. */
export async function claimUnusedObjects(db: Database, limit: number): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    update log_object_unused set is_going = true, due_at = (select db_now()) + interval '10 minutes'
    where key in (
      select key from log_object_unused where due_at <= (select db_now()) order by due_at limit ${limit} for update skip locked)
    returning key`;
  return rows.map(({ key }) => key);
}

export async function forgetLogObject(db: Queryable, key: string): Promise<void> {
  await db`delete from log_object_unused where key = ${key} and is_going`;
}

/** What a statement with the part `gone` removed from log_object: its objects are removed, too. */
export const andObjects = (db: Queryable) => db`
  unused as (insert into log_object_unused (key, due_at) select key, (select db_now()) from gone_objects on conflict do nothing)`;

/** Where a batch of objects ends. */
export interface LogObjectPlace {
  taskRunId: string;
  attempt: number;
}

/** Logs in the log store of runs that ended so many days ago and that are not kept: of a team, or of all. */
export async function deleteOldLogObjects(
  db: Queryable,
  { teamId, days, after }: { teamId?: string; days: number; after: LogObjectPlace | undefined },
  limit: number,
): Promise<{ seen: number; removed: number; place?: LogObjectPlace }> {
  const [row] = await db<{ seen: number; removed: number; taskRunId: string; attempt: number }[]>`
    with page as materialized (
      select o.team_id, o.task_run_id, o.attempt from log_object o
      where o.task_run_id < (select id_floor(db_now() - make_interval(days => ${days})))
        ${teamId === undefined ? db`` : db`and o.team_id = ${teamId}`}
        ${after === undefined ? db`` : db`and (o.task_run_id, o.attempt) > (${after.taskRunId}, ${after.attempt})`}
      order by o.task_run_id, o.attempt limit ${limit}
    ), gone as materialized (
      select p.* from page p where not exists (
        select from task_run t join run on run.team_id = t.team_id and run.id = t.run_id
        where t.team_id = p.team_id and t.id = p.task_run_id and ${stays(db, days)})
    ), gone_objects as (
      delete from log_object o using gone g where o.team_id = g.team_id and o.task_run_id = g.task_run_id and o.attempt = g.attempt returning o.key
    ), ${andObjects(db)}
    select (select count(*)::int from page) as seen, (select count(*)::int from gone) as removed, task_run_id as "taskRunId", attempt
    from page order by task_run_id desc, attempt desc limit 1`;
  return row
    ? { seen: row.seen, removed: row.removed, place: { taskRunId: row.taskRunId, attempt: row.attempt } }
    : { seen: 0, removed: 0 };
}

/** Before the task runs of a month are removed as a whole. @returns how many */
export async function deleteLogObjectsOfMonth(db: Queryable, { from, to }: HistoryMonth, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    with gone_objects as (
      delete from log_object where ctid = any(array(
        select ctid from log_object where task_run_id >= ${from} and task_run_id < ${to} limit ${limit}))
      returning key
    ), ${andObjects(db)}
    select count(*)::int as count from gone_objects`;
  return row!.count;
}

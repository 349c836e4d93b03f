import type { BulkAction, BulkOutcome, BulkRerun } from "@millrace/contract/run/run-bulk.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/**
 * Actions on many runs. The runs are listed when an action is requested. Each of them is processed in a transaction that locks its row
 * here: several processes share the work, and nothing is done twice.
 */

/** The requester, as far as needed to check their rights again. */
export interface BulkCaller {
  kind: string;
  id: string;
  name: string;
  userId?: string | undefined;
  tokenId?: string | undefined;
  /** The limit of their token. */
  limit?: readonly string[] | undefined;
}

export interface BulkRow {
  id: string;
  teamId: string;
  action: BulkAction;
  filter: Record<string, unknown>;
  /** How a rerun runs its runs; null: unchanged. */
  rerun: BulkRerun | null;
  caller: BulkCaller;
  requestId: string;
  status: "running" | "completed" | "cancelled";
  total: number;
  done: number;
  failed: number;
  createdAt: Date;
  endedAt: Date | null;
}

const columns = (db: Queryable) => db`
  b.id, b.team_id as "teamId", b.action, b.filter, b.rerun, b.caller, b.request_id as "requestId", b.status, b.total, b.done, b.failed,
  b.created_at as "createdAt", b.ended_at as "endedAt"`;

/** Requests to a team are recorded one after the other, so that the limit of open ones is not exceeded. */
export async function countRunningBulk(tx: Transaction, teamId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended('millrace.run-bulk ' || ${teamId}::text, 0))`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from run_bulk where team_id = ${teamId} and status = 'running'`;
  return row!.count;
}

export interface NewBulk extends Pick<BulkRow, "teamId" | "action" | "filter" | "rerun" | "caller" | "requestId"> {
  runIds: readonly string[];
}

export async function insertBulk(tx: Transaction, { teamId, action, filter, rerun, caller, requestId, runIds }: NewBulk): Promise<BulkRow> {
  const [row] = await tx<BulkRow[]>`
    with b as (
      insert into run_bulk (team_id, action, filter, rerun, caller, request_id, total, status)
      values (${teamId}, ${action}, ${JSON.stringify(filter)}::json, ${rerun && JSON.stringify(rerun)}::json, ${JSON.stringify(caller)}::json,
        ${requestId}, ${runIds.length}, 'running')
      returning *
    ), items as (
      insert into run_bulk_item (bulk_id, position, team_id, run_id)
      select b.id, n.position, b.team_id, n.run_id from b, unnest(${[...runIds]}::uuid[]) with ordinality as n(run_id, position)
    )
    select ${columns(tx)} from b`;
  return row!;
}

export async function findBulk(db: Queryable, teamId: string, id: string): Promise<BulkRow | undefined> {
  const [row] = await db<BulkRow[]>`select ${columns(db)} from run_bulk b where b.team_id = ${teamId} and b.id = ${id}`;
  return row;
}

export async function listBulk(
  db: Queryable,
  teamId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BulkRow[]; total: number }> {
  const rows = await db<BulkRow[]>`
    select ${columns(db)} from run_bulk b where b.team_id = ${teamId} order by b.id desc limit ${limit} offset ${offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from run_bulk where team_id = ${teamId}`;
  return { rows, total: count!.total };
}

export interface BulkItemRow {
  runId: string;
  outcome: BulkOutcome;
  message: string | null;
  newRunId: string | null;
  endedAt: Date | null;
}

export async function listBulkItems(
  db: Queryable,
  { teamId, bulkId, outcomes }: { teamId: string; bulkId: string; outcomes: readonly string[] | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BulkItemRow[]; total: number }> {
  const wanted = db`team_id = ${teamId} and bulk_id = ${bulkId} ${outcomes ? db`and outcome = any(${[...outcomes]})` : db``}`;
  const rows = await db<BulkItemRow[]>`
    select run_id as "runId", outcome, message, new_run_id as "newRunId", ended_at as "endedAt" from run_bulk_item
    where ${wanted} order by position limit ${limit} offset ${offset}`;
  const [count] = await db<{ total: number }[]>`select count(*)::int as total from run_bulk_item where ${wanted}`;
  return { rows, total: count!.total };
}

/** @returns false if it has ended already */
export async function cancelBulk(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const { count } = await db`
    update run_bulk set status = 'cancelled', ended_at = (select db_now()) where team_id = ${teamId} and id = ${id} and status = 'running'`;
  return count > 0;
}

/** The least recently processed come first. */
export async function listRunningBulk(db: Queryable, limit: number): Promise<BulkRow[]> {
  return db<BulkRow[]>`select ${columns(db)} from run_bulk b where b.status = 'running' order by b.worked_at limit ${limit}`;
}

/** It had its turn, and nothing was done. */
export async function delayBulk(db: Queryable, { teamId, id }: BulkRow): Promise<void> {
  await db`update run_bulk set worked_at = (select db_now()) where team_id = ${teamId} and id = ${id}`;
}

export interface BulkItem {
  position: number;
  runId: string;
}

/** The next run that no other process has locked; locked. */
export async function takeBulkItem(tx: Transaction, { teamId, id }: BulkRow): Promise<BulkItem | undefined> {
  const [row] = await tx<BulkItem[]>`
    select i.position, i.run_id as "runId" from run_bulk_item i
    where i.team_id = ${teamId} and i.bulk_id = ${id} and i.outcome = 'open' and exists (select from run_bulk b where b.id = ${id} and b.status = 'running')
    order by i.position limit 1 for update of i skip locked`;
  return row;
}

export interface BulkResult {
  outcome: "done" | "failed";
  message?: string;
  newRunId?: string;
}

export async function writeBulkResult(tx: Transaction, { teamId, id }: BulkRow, position: number, result: BulkResult): Promise<void> {
  const { outcome, message, newRunId } = result;
  await tx`
    update run_bulk_item set outcome = ${outcome}, message = ${message ?? null}, new_run_id = ${newRunId ?? null}, ended_at = (select db_now())
    where team_id = ${teamId} and bulk_id = ${id} and position = ${position}`;
  await tx`
    update run_bulk set done = done + ${outcome === "done" ? 1 : 0}, failed = failed + ${outcome === "failed" ? 1 : 0}, worked_at = (select db_now())
    where team_id = ${teamId} and id = ${id}`;
}

/** If no run is left, including those that other processes have locked. */
export async function endBulk(db: Queryable, { teamId, id }: BulkRow): Promise<boolean> {
  const { count } = await db`
    update run_bulk b set status = 'completed', ended_at = (select db_now())
    where b.team_id = ${teamId} and b.id = ${id} and b.status = 'running'
      and not exists (select from run_bulk_item i where i.bulk_id = b.id and i.outcome = 'open')`;
  return count > 0;
}

/** Those that ended so many days ago, with their runs. */
export async function deleteOldBulk(db: Queryable, days: number): Promise<void> {
  await db`
    delete from run_bulk where id = any(array(
      select id from run_bulk where ended_at < (select db_now()) - make_interval(days => ${days}) order by ended_at limit 20))`;
}

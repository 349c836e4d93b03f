import type { Status } from "@millrace/contract/status.ts";
import { ItemList } from "../../core/run/items/item-list.ts";
import type { Layers, RunState, TaskState } from "../../core/run/run-state.ts";
import type { Queryable, Transaction } from "../database/database.ts";

/**
 * Loads runs in the form of the pure core. Large values are left out: parameters are loaded only for waiting task runs (their types need
 * them when they wake), results never; `findResults` reads those that are needed.
 */

export interface RunKey {
  teamId: string;
  id: string;
}

export interface LockOptions {
  /** Skips locked runs, instead of waiting for them. */
  skipLocked?: boolean;
}

export interface LockedRuns {
  states: RunState[];
  /** Epoch milliseconds of the database, read after the locks were taken. */
  now: number;
}

/** Locks the rows of runs in (team, id) order, then reads them and their task runs in new statements. Unknown runs are left out. */
export async function lockRuns(tx: Transaction, keys: readonly RunKey[], options: LockOptions = {}): Promise<LockedRuns> {
  let wanted = withoutDuplicates(keys);
  if (options.skipLocked) {
    const free = new Set((await lockRows(tx, wanted, options)).map(({ id }) => id));
    wanted = wanted.filter(({ id }) => free.has(id));
  }
  const [, runs, tasks, clock] = await Promise.all([
    lockRows(tx, wanted),
    selectRuns(tx, wanted),
    selectTaskRuns(tx, wanted),
    tx<{ now: Date }[]>`select db_now() as now`,
  ]);
  return { states: assemble(runs, tasks), now: (clock[0]?.now ?? new Date(0)).getTime() };
}

/** A run as it is, for what only reads it. */
export async function readRunState(db: Queryable, teamId: string, id: string): Promise<RunState | undefined> {
  const [runs, tasks] = [await selectRuns(db, [{ teamId, id }]), await selectTaskRuns(db, [{ teamId, id }])];
  return assemble(runs, tasks)[0];
}

/** Locks the rows of runs in (team, id) order, except locked ones. @returns their versions by id, and the time */
export async function lockVersions(tx: Transaction, keys: readonly RunKey[]): Promise<{ versions: Map<string, number>; now: number }> {
  const [rows, clock] = await Promise.all([
    lockRows(tx, withoutDuplicates(keys), { skipLocked: true }),
    tx<{ now: Date }[]>`select db_now() as now`,
  ]);
  return { versions: new Map(rows.map(({ id, version }) => [id, version])), now: (clock[0]?.now ?? new Date(0)).getTime() };
}

/** Locks the rows of runs in (team, id) order without reading them: for decisions before they are advanced. */
export async function lockRunRows(tx: Transaction, keys: readonly RunKey[]): Promise<void> {
  await lockRows(tx, withoutDuplicates(keys));
}

function withoutDuplicates(keys: readonly RunKey[]): RunKey[] {
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

/**
 * In (team, id) order, one by one through the index run_by_id. In a nearly empty table every index that begins with the team seems equally
 * cheap, and so does a full scan of one with the right order: the cached plan would then read all runs of the team. So the order is that of
 * the keys, and the team is compared outside of the index.
 */
function lockRows(tx: Transaction, keys: readonly RunKey[], { skipLocked = false }: LockOptions = {}) {
  return tx<{ id: string; version: number }[]>`
    select r.id, r.version
    from (select k.team_id, k.id from ${unnestKeys(tx, keys)} order by k.team_id, k.id) k
    cross join lateral (
      select q.id, q.state_version as version from run q where q.id = k.id and (q.team_id = k.team_id) is true
      for update ${skipLocked ? tx`skip locked` : tx``}) r`;
}

/** The limit says what the planner knows of a list only when it plans for its values, so one plan is kept for all lists (ADR 0108). */
function unnestKeys(db: Queryable, keys: readonly RunKey[]) {
  return db`(select * from unnest(${keys.map((key) => key.teamId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]) as u(team_id, id)
    limit ${keys.length}) k`;
}

interface RunRow extends Omit<RunState, "nodes" | "items" | "startedAt" | "endedAt" | "dueAt" | "activeSince" | "layers"> {
  layers: Layers;
  startedAt: Date | null;
  endedAt: Date | null;
  dueAt: Date | null;
  activeSince: Date | null;
}

interface TaskRow
  extends Omit<TaskState, "readyAt" | "startedAt" | "endedAt" | "dueAt" | "deadlineAt" | "params" | "results" | "warnings"> {
  runId: string;
  readyAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  dueAt: Date | null;
  deadlineAt: Date | null;
  params: TaskState["params"] | null;
}

/** Through the index run_by_id, like the locking. */
function selectRuns(tx: Queryable, keys: readonly RunKey[]) {
  return tx<RunRow[]>`
    select r.* from ${unnestKeys(tx, keys)} cross join lateral (
      select team_id as "teamId", id, state_version as "stateVersion", status, phase, reason, status_message as "statusMessage",
             status_override as "statusOverride", trigger, workflow_id as "workflowId", workflow_version_id as "workflowVersionId",
             task_version_ids as "taskVersionIds", layers, default_image as "defaultImage", results, timeout_minutes as "timeoutMinutes",
             max_active_minutes as "maxActiveMinutes", activity, active_since as "activeSince", active_ms as "activeMs", retries,
             retry_count as "retryCount", parent_run_id as "parentRunId", parent_task_run_id as "parentTaskRunId", depth, lineage, traceparent,
             awaiting_approval as "awaitingApproval", held_for as "heldFor", warning_count as "warningCount", started_at as "startedAt", ended_at as "endedAt", due_at as "dueAt"
      from run q where q.id = k.id and (q.team_id = k.team_id) is true offset 0) r
    order by "teamId", id`;
}

/**
 * Run by run, in the order of the index task_run_run. In a nearly empty table every index that begins with the team seems equally cheap,
 * and another one reads all task runs of the team; only this one provides the order.
 *
 * @param runs without duplicates
 */
function selectTaskRuns(tx: Queryable, runs: readonly RunKey[]) {
  return tx<TaskRow[]>`
    select t.* from ${unnestKeys(tx, runs)} cross join lateral (
      select run_id as "runId", id, node, item, name, type, status, phase, reason, status_message as "statusMessage", attempt,
             retries_used as "retriesUsed", losses, given_back as "releasedLosses", decision_value as "decisionValue", wait_kind as "waitKind", wait_key as "waitKey",
             wait_detail as "waitDetail", executor, timeout_minutes as "timeoutMinutes", worker_id as "workerId", ready_at as "readyAt",
             started_at as "startedAt", ended_at as "endedAt", due_at as "dueAt", deadline_at as "deadlineAt",
             case when status = 'waiting' then params end as params
      from task_run q where q.team_id = k.team_id and q.run_id = k.id
      order by q.node limit (select null::bigint)) t
    order by "runId", node, item nulls first`;
}

function assemble(runs: readonly RunRow[], tasks: readonly TaskRow[]): RunState[] {
  const byRun = new Map<string, TaskState[]>();
  for (const { runId, ...row } of tasks) {
    const list = byRun.get(runId);
    if (list) list.push(taskState(row));
    else byRun.set(runId, [taskState(row)]);
  }
  return runs.map((run) => ({ ...run, ...times(run), activeSince: run.activeSince?.getTime() ?? null, ...split(byRun.get(run.id) ?? []) }));
}

function taskState(row: Omit<TaskRow, "runId">): TaskState {
  return {
    ...row,
    ...times(row),
    readyAt: row.readyAt?.getTime() ?? null,
    deadlineAt: row.deadlineAt?.getTime() ?? null,
    params: row.params ?? undefined,
    results: undefined,
    warnings: undefined,
  };
}

function times(row: { startedAt: Date | null; endedAt: Date | null; dueAt: Date | null }) {
  return { startedAt: row.startedAt?.getTime() ?? null, endedAt: row.endedAt?.getTime() ?? null, dueAt: row.dueAt?.getTime() ?? null };
}

function split(tasks: readonly TaskState[]): Pick<RunState, "nodes" | "items"> {
  const nodes: TaskState[] = [];
  const items = new Map<number, TaskState[]>();
  for (const task of tasks) {
    if (task.item === null) nodes[task.node] = task;
    else if (items.has(task.node)) items.get(task.node)?.push(task);
    else items.set(task.node, [task]);
  }
  return { nodes, items: new Map([...items].map(([node, tasks]) => [node, ItemList.of(tasks)])) };
}

/** Results of task runs, by id; only their size in bytes if they have more than `maxBytes` together. */
export async function findResults(
  db: Queryable,
  teamId: string,
  taskRunIds: readonly string[],
  maxBytes: number,
): Promise<Map<string, NonNullable<TaskState["results"]>> | number> {
  const rows = await db<{ id: string; results: NonNullable<TaskState["results"]> | null; total: number }[]>`
    select t.id, case when t.total <= ${maxBytes} then t.results end as results, t.total
    from (select id, results, sum(octet_length(results::text)) over ()::float8 as total
          from task_run where id = any((select ${taskRunIds as string[]}::uuid[])::uuid[]) and (team_id = ${teamId}) is true) as t`;
  const total = rows[0]?.total ?? 0;
  return total > maxBytes ? total : new Map(rows.map((row) => [row.id, row.results ?? []]));
}

/** New ids, in order. Use them within the same transaction, so that ids stay close to the time of their rows. */
export async function newIds(db: Queryable, count: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select new_id() as id from generate_series(1, ${count})`;
  return rows.map((row) => row.id).sort();
}

/** Of those that exist, by id: the minimum that tells whether a run has ended. Its plan is kept, as that of `unnestKeys`. */
export async function listRunStatuses(db: Queryable, runs: readonly RunKey[]): Promise<Map<string, Status>> {
  const rows = await db<{ id: string; status: Status }[]>`
    select r.id, r.status
    from ${unnestKeys(db, runs)}
    cross join lateral (select q.id, q.status from run q where q.id = k.id and (q.team_id = k.team_id) is true offset 0) r`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}

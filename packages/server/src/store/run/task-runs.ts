import type { RunParam, RunResult } from "@millrace/contract/common.ts";
import { isFinal, type Phase, type Status, type TaskType } from "@millrace/contract/status.ts";
import { isId } from "../../base/text/uuid.ts";
import type { AttemptPlace, AttemptWaits } from "../../core/run/run-change.ts";
import type { Warning } from "../../core/run/run-state.ts";
import type { RunNeed } from "../../core/task/place-task.ts";
import type { Queryable } from "../database/database.ts";
import { countGrowing, type Span } from "../database/growing-totals.ts";
import { idsWithoutValues, type SizedRow } from "../database/large-values.ts";
import { andNamesHave } from "../database/name-search.ts";
import { listHiddenWithTrials, listHiddenWorkflows } from "../workflow/hidden-workflows.ts";
import { countByTally } from "./tallies/task-run-tallies.ts";

/** Reads task runs and their attempts for people. */

export interface TaskRunRow {
  id: string;
  runId: string;
  node: number;
  item: number | null;
  name: string;
  type: TaskType;
  taskId: string | null;
  taskVersion: number | null;
  status: Status;
  phase: Phase;
  reason: string | null;
  statusMessage: string | null;
  attempt: number;
  params: RunParam[];
  results: RunResult[];
  warnings: Warning[];
  decisionValue: string | null;
  waitKind: string | null;
  waitKey: string | null;
  waitDetail: string | null;
  /** What it needs. */
  executor: RunNeed | null;
  runsOn: string[];
  /** Where its workspaces are (core/worker/workspace-place.ts). */
  place: string;
  timeoutMinutes: number | null;
  workerId: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  /** When the engine checks it next: end of a sleep, next try, deadline. */
  dueAt: Date | null;
  /** Params, results and warnings were left out, because the response would be too large. */
  isTruncated: boolean;
}

/** @param cut ids of the rows that come without params, results and warnings  @param keepsWarnings only without params and results */
export const columns = (db: Queryable, cut: readonly string[] = [], keepsWarnings = false) => db`
  t.id, t.run_id as "runId", t.node, t.item, t.name, t.type, t.task_id as "taskId", t.task_version as "taskVersion", t.status, t.phase,
  t.reason, t.status_message as "statusMessage", t.attempt, left(t.decision_value, 1000) as "decisionValue", t.id = any(${[...cut]}::uuid[]) as "isTruncated",
  case when t.id = any(${[...cut]}::uuid[]) then '[]'::json else t.params end as params,
  case when t.id = any(${[...cut]}::uuid[]) then '[]'::json else t.results end as results,
  case when t.id = any(${keepsWarnings ? [] : [...cut]}::uuid[]) then '[]'::json else t.warnings end as warnings,
  t.wait_kind as "waitKind", t.wait_key as "waitKey", t.wait_detail as "waitDetail", t.executor, t.runs_on as "runsOn", t.place,
  t.timeout_minutes as "timeoutMinutes", t.worker_id as "workerId", t.created_at as "createdAt", t.started_at as "startedAt",
  t.ended_at as "endedAt", t.due_at as "dueAt"`;

const size = (db: Queryable) => db`octet_length(t.params::text) + octet_length(t.results::text) + octet_length(t.warnings::text) as bytes`;

/** Of one run, by node (like selectTaskRuns in run-states.ts), each node followed by its items. Large ones may be truncated. */
export async function listTaskRuns(db: Queryable, teamId: string, runId: string): Promise<TaskRunRow[]> {
  const source = db`from (
    select q.* from task_run q where q.team_id = ${teamId} and q.run_id = ${runId} order by q.node limit (select null::bigint)) t order by t.node, t.item nulls first`;
  const sizes = await db<SizedRow[]>`select t.id, ${size(db)} ${source}`;
  return db<TaskRunRow[]>`select ${columns(db, idsWithoutValues(sizes))} ${source}`;
}

export async function findTaskRun(db: Queryable, teamId: string, id: string): Promise<TaskRunRow | undefined> {
  const [row] = await db<TaskRunRow[]>`
    select ${columns(db)} from task_run t where t.id = (select ${id}::uuid) and (t.team_id = ${teamId}) is true`;
  return row;
}

export interface TaskRunFilter {
  /** Ids of runs. */
  runs?: readonly string[];
  statuses?: readonly Status[];
  types?: readonly string[];
  /** Name of a task: only its items. */
  itemsOf?: string;
  /** Words that must all be in the name. */
  search?: string;
  /** Only of runs of this workflow. */
  workflowId?: string;
}

/**
 * One page of a team's task runs, and the total over all pages; ids are ordered by time. With `runs` it uses the index task_run_run,
 * without them the primary key in the order of the page. Open task runs are few among many, and no index has the status: they are found
 * through the open runs (indexes run_queued and run_running). Large ones may be truncated.
 */
export async function queryTaskRuns(
  db: Queryable,
  teamId: string,
  filter: TaskRunFilter,
  page: { order: "ASC" | "DESC"; byTask?: boolean; limit: number; offset: number },
): Promise<{ rows: TaskRunRow[]; total: number }> {
  const hidden = filter.runs === undefined ? await listHiddenWithTrials(db, teamId) : await listHiddenWorkflows(db, teamId);
  const ofRuns = filter.workflowId !== undefined || hidden.ids.length > 0;
  const source = db`
    from ${filter.runs ? taskRunsOf(db, teamId, filter.runs) : db`task_run t`} ${ofRuns ? db`join run r on r.id = t.run_id and (r.team_id = t.team_id) is true` : db``}
    where t.team_id = ${teamId}
      ${hidden.ids.length > 0 ? db`and r.workflow_id <> all(${hidden.ids}::uuid[])` : db``}
      ${filter.statuses ? db`and t.status = any(${[...filter.statuses]})` : db``}
      ${filter.statuses && !filter.statuses.some(isFinal) ? db`and t.run_id = any(${openRuns(db, teamId)})` : db``}
      ${filter.types ? db`and t.type = any(${[...filter.types]})` : db``}
      ${filter.itemsOf !== undefined ? db`and t.item is not null and t.name = ${filter.itemsOf} || '[' || t.item || ']'` : db``}
      ${andNamesHave(db, filter.search, db`t.name`)}
      ${filter.workflowId ? db`and r.workflow_id = ${filter.workflowId}` : db``}`;
  const direction = page.order === "ASC" ? db`asc` : db`desc`;
  // The task runs of the nodes themselves have no item, and precede those of their items.
  const order = page.byTask
    ? db`t.run_id ${direction}, t.node ${direction}, coalesce(t.item, -1) ${direction}, t.id ${direction}`
    : db`t.id ${direction}`;
  const found = await db<SizedRow[]>`
    select t.id, ${size(db)} from task_run t
    where t.id = any(array(select t.id ${source} order by ${order} limit ${page.limit} offset ${page.offset})) and (t.team_id = ${teamId}) is true
    order by ${order}`;
  const rows = await db<TaskRunRow[]>`
    select ${columns(db, idsWithoutValues(found))} from task_run t
    where t.id = any(${found.map(({ id }) => id)}::uuid[]) and (t.team_id = ${teamId}) is true order by ${order}`;
  const count = async ({ from, to }: Span) => {
    const [row] = await db<{ total: number }[]>`
      select count(*)::int as total ${source}
        ${from ? db`and t.id >= id_floor(${from})` : db``} ${to ? db`and t.id < id_floor(${to})` : db``}`;
    return row!.total;
  };
  const isGrowing = filter.statuses === undefined && filter.runs === undefined;
  const isPlain = isGrowing && filter.types === undefined && filter.search === undefined && filter.workflowId === undefined;
  const kept = isPlain && filter.itemsOf === undefined ? await countByTally(db, teamId, hidden) : undefined;
  if (kept !== undefined) return { rows, total: kept };
  const total = isGrowing ? await countGrowing(db, JSON.stringify(["task_run", teamId, filter, hidden.state]), count) : await count({});
  return { rows, total };
}

function taskRunsOf(db: Queryable, teamId: string, runIds: readonly string[]) {
  return db`unnest(${[...new Set(runIds.filter(isId))]}::uuid[]) as k(run_id) cross join lateral (
    select q.team_id, q.run_id, q.id, q.node, q.item, q.name, q.type, q.status from task_run q
    where q.team_id = ${teamId} and q.run_id = k.run_id order by q.node limit (select null::bigint)) t`;
}

function openRuns(db: Queryable, teamId: string) {
  return db`array(
    select q.id from run q where q.team_id = ${teamId} and q.phase in ('pending', 'queued')
    union all
    select q.id from run q where q.team_id = ${teamId} and q.phase = 'running')`;
}

export interface AttemptRow {
  taskRunId: string;
  attempt: number;
  status: string;
  reason: string | null;
  statusMessage: string | null;
  exitCode: number | null;
  signal: string | null;
  executor: string | null;
  isolation: string | null;
  host: string | null;
  place: AttemptPlace | null;
  waits: AttemptWaits | null;
  startedAt: Date | null;
  endedAt: Date;
}

export async function listAttempts(db: Queryable, teamId: string, taskRunIds: readonly string[]): Promise<AttemptRow[]> {
  return db<AttemptRow[]>`
    select a.task_run_id as "taskRunId", a.attempt, a.status, a.reason, a.status_message as "statusMessage", a.exit_code as "exitCode", a.signal,
           a.executor, a.isolation, a.host, a.place, a.waits, a.started_at as "startedAt", a.ended_at as "endedAt"
    from (select * from unnest(${[...new Set(taskRunIds)]}::uuid[]) as u(id) limit ${new Set(taskRunIds).size}) k cross join lateral (
      select q.* from task_run_attempt q where q.team_id = ${teamId} and q.task_run_id = k.id order by q.attempt limit (select null::bigint)) a
    order by a.task_run_id, a.attempt, a.id`;
}

/** The task run of the log; undefined also if its workflow was deleted. */
export async function findLogSource(
  db: Queryable,
  teamId: string,
  taskRunId: string,
): Promise<{ runId: string; workflowId: string } | undefined> {
  const [row] = await db<{ runId: string; workflowId: string }[]>`
    select t.run_id as "runId", r.workflow_id as "workflowId"
    from task_run t
    cross join lateral (select q.team_id, q.workflow_id from run q where q.id = t.run_id and (q.team_id = t.team_id) is true offset 0) r
    join workflow w on w.team_id = r.team_id and w.id = r.workflow_id and w.deleted_at is null
    where t.id = (select ${taskRunId}::uuid) and (t.team_id = ${teamId}) is true`;
  return row;
}

export interface LoggedTask {
  id: string;
  name: string;
  node: number;
  item: number | null;
}

/** Task runs of a run that an executor has run, in the order of the workflow: from that one on (index task_run_run). */
export async function listLoggedTasks(
  db: Queryable,
  teamId: string,
  runId: string,
  from: Pick<LoggedTask, "node" | "item" | "id"> | undefined,
  limit: number,
): Promise<LoggedTask[]> {
  return db<LoggedTask[]>`
    select t.id, t.name, t.node, t.item from task_run t
    where t.team_id = ${teamId} and t.run_id = ${runId} and t.executor is not null
      ${from ? db`and t.node >= ${from.node} and (t.node, coalesce(t.item, -1), t.id) >= (${from.node}, ${from.item ?? -1}, ${from.id})` : db``}
    order by t.node, coalesce(t.item, -1), t.id limit ${limit}`;
}

/** Whether more lines may come. Undefined if it was purged in the meantime. */
export async function findTaskRunStatus(db: Queryable, teamId: string, id: string): Promise<Status | undefined> {
  const [row] = await db<{ status: Status }[]>`select status from task_run where id = ${id} and (team_id = ${teamId}) is true`;
  return row?.status;
}

/** The large values of task runs that a rerun reuses. */
export async function findKeptValues(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, { params: { name: string; value: unknown }[]; results: RunResult[]; warnings: TaskRunRow["warnings"] }>> {
  const rows = await db<
    { id: string; params: { name: string; value: unknown }[]; results: RunResult[]; warnings: TaskRunRow["warnings"] }[]
  >`
    select id, params, results, warnings from task_run where id = any(${ids as string[]}) and (team_id = ${teamId}) is true`;
  return new Map(rows.map(({ id, ...values }) => [id, values]));
}

/** The results of a task that succeeded. */
export interface TaskResults {
  name: string;
  bytes: number;
  /** Null: together with the preceding tasks, it exceeds the requested limit. */
  results: RunResult[] | null;
}

/** Of the successful tasks of a run with these names (index task_run_run). @param maxBytes of all results together */
export async function listTaskResults(
  db: Queryable,
  teamId: string,
  runId: string,
  names: readonly string[],
  maxBytes: number,
): Promise<TaskResults[]> {
  return db<TaskResults[]>`
    select f.name, f.bytes, case when f.total <= ${maxBytes}::int then f.results end as results
    from (
      select t.name, t.results, octet_length(t.results::text) as bytes, sum(octet_length(t.results::text)) over (order by t.node) as total
      from task_run t
      where t.team_id = ${teamId} and t.run_id = ${runId} and t.item is null and t.status = 'succeeded' and t.name = any(${[...names]})) f`;
}

/** The last completed round of a loop: the number of rounds, and its results, unless they are too large. */
export interface LastRound {
  rounds: number;
  status: Status;
  bytes: number;
  results: RunResult[] | null;
}

/** By the name of the task, because the run may be of another version. Uses the index task_run_run. */
export async function findLastRound(
  db: Queryable,
  teamId: string,
  runId: string,
  name: string,
  maxBytes: number,
): Promise<LastRound | undefined> {
  const [row] = await db<LastRound[]>`
    select r.item + 1 as rounds, r.status, r.bytes, case when r.bytes <= ${maxBytes}::int then r.results end as results
    from task_run p cross join lateral (
      select t.item, t.status, t.results, octet_length(t.results::text) as bytes from task_run t
      where t.team_id = p.team_id and t.run_id = p.run_id and t.node = p.node and t.item is not null and t.phase = 'completed'
      order by t.item desc limit 1) r
    where p.team_id = ${teamId} and p.run_id = ${runId} and p.item is null and p.name = ${name}`;
  return row;
}

/** Ready task runs of these runs with other needs than these, by run; runs without any are left out. */
export async function countReadyWithout(
  db: Queryable,
  teamId: string,
  runIds: readonly string[],
  needs: readonly RunNeed[],
): Promise<Map<string, number>> {
  const rows = await db<{ runId: string; count: number }[]>`
    select run_id as "runId", count(*)::int as count from task_run
    where team_id = ${teamId} and run_id = any(${[...runIds]}::uuid[]) and status = 'ready' and executor is not null
      and executor <> all(${[...needs]})
    group by run_id`;
  return new Map(rows.map(({ runId, count }) => [runId, count]));
}

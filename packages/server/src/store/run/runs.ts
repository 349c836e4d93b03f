import type { RunParam, RunResult, WorkflowWorkspace } from "@millrace/contract/common.ts";
import {
  finalStatuses,
  isFinal,
  type Phase,
  type Status,
  statuses,
  type TriggerKind,
  type WaitKind,
  waitKinds,
} from "@millrace/contract/status.ts";
import type { RunActivity } from "../../core/run/run-activity.ts";
import { tryPrefix } from "../../core/workflow/try-name.ts";
import type { Queryable } from "../database/database.ts";
import { countGrowing, type Span } from "../database/growing-totals.ts";
import { idsWithoutValues, type SizedRow } from "../database/large-values.ts";
import type { HiddenWorkflows } from "../workflow/hidden-workflows.ts";
import { countSearched, searchRuns } from "./lists/run-search-query.ts";
import { listLabelled, listSortedRunIds, type RunSort, type SortedRuns } from "./lists/sorted-runs.ts";
import { hiddenFrom, listedStatus, matchesRuns, type RunFilter, withWorkflowIds } from "./run-filter.ts";

/** Reads runs for people. The reads of the engine are in run-states.ts. */

export interface RunRow {
  id: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  status: Status;
  phase: Phase;
  activity: RunActivity;
  reason: string | null;
  statusMessage: string | null;
  timeoutMinutes: number | null;
  retries: number;
  retryCount: number;
  retryOf: string | null;
  debug: boolean;
  awaitingApproval: boolean;
  /** The limit of its workflow that it waits for before it is queued. */
  heldFor: "slot" | "rate" | "events" | null;
  /** What it waits for, if nothing of it runs. */
  waitKinds: WaitKind[];
  /** Of its task runs. */
  warningCount: number;
  maxActiveMinutes: number | null;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  workflowVersion: number;
  workflowVersionId: string;
  taskVersionIds: string[];
  trigger: TriggerKind;
  initiatedBy: string | null;
  /** Its current name. Null: it no longer exists. */
  initiatorName: string | null;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: RunParam[];
  results: RunResult[];
  workspaces: WorkflowWorkspace[];
  parentRunId: string | null;
  /** Annotations, params and results were left out, because the response would be too large. */
  isTruncated?: boolean;
  acknowledgement: { by: string; name: string; at: string; text: string | null } | null;
  commentCount: number;
}

/** @param cut ids of the rows that come without annotations, params and results */
const columns = (db: Queryable, cut: readonly string[] = []) => db`
  r.id, r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt", r.status, r.phase, r.activity, r.held_for as "heldFor", r.reason,
  r.status_message as "statusMessage", r.timeout_minutes as "timeoutMinutes", r.retries, r.retry_count as "retryCount",
  r.retry_of as "retryOf", r.debug, r.awaiting_approval as "awaitingApproval", ${waitKindsOf(db)}, r.warning_count as "warningCount", r.max_active_minutes as "maxActiveMinutes",
  r.workflow_id as "workflowId",
  w.name as "workflowName", w.display_name as "workflowDisplayName", r.workflow_version as "workflowVersion",
  r.workflow_version_id as "workflowVersionId", r.task_version_ids as "taskVersionIds", r.trigger, r.initiated_by as "initiatedBy",
  initiator_name(r.team_id, r.initiated_by) as "initiatorName",
  (select json_build_object('by', a.created_by, 'name', a.creator_name, 'at', iso_time(a.created_at), 'text', a.text)
   from run_acknowledgement a where a.team_id = r.team_id and a.run_id = r.id) as acknowledgement,
  (select count(*)::int from run_comment c where c.team_id = r.team_id and c.run_id = r.id) as "commentCount",
  r.labels, r.workspaces, r.parent_run_id as "parentRunId", r.id = any(${[...cut]}::uuid[]) as "isTruncated",
  case when r.id = any(${[...cut]}::uuid[]) then '{}'::json else r.annotations end as annotations,
  case when r.id = any(${[...cut]}::uuid[]) then '[]'::json else r.params end as params,
  case when r.id = any(${[...cut]}::uuid[]) then '[]'::json else r.results end as results`;

/** If more of its task runs wait, they mostly wait for the same. */
const maxChecked = 1_000;

/**
 * What a started run waits for that has nothing running, as a column of a statement about `run r`. Costs nothing for a run that is active,
 * has not started or has ended. Uses the index task_run_waiting.
 */
export function waitKindsOf(db: Queryable) {
  return db`case when r.phase = 'running' and r.activity = 'none' then array(
    select distinct q.wait_kind from (
      select t.wait_kind from task_run t
      where t.team_id = r.team_id and t.run_id = r.id and t.status = 'waiting' and t.wait_kind is not null and t.wait_kind = any(${[...waitKinds]})
      limit ${maxChecked}) q
    order by q.wait_kind) else '{}' end as "waitKinds"`;
}

/**
 * Runs of a deleted workflow are hidden with it, until they are purged. The workflow is looked up for each run: a plan that begins with it
 * would read all of its runs, and is chosen if statistics are missing.
 */
const visible = (db: Queryable) => db`cross join lateral (
  select name, display_name from workflow
  where team_id = r.team_id and id = r.workflow_id and deleted_at is null offset 0) w`;

/** The id is hidden from the planner, so that one plan is kept: a plan for each takes longer than the statement (ADR 0108). */
export async function findRun(db: Queryable, teamId: string, id: string): Promise<RunRow | undefined> {
  const [row] = await db<RunRow[]>`
    select ${columns(db)} from run r ${visible(db)}
    where r.id = (select ${id}::uuid) and (r.team_id = ${teamId}) is true`;
  return row;
}

export async function findRunSecrets(db: Queryable, teamId: string, id: string): Promise<Uint8Array | undefined> {
  const [row] = await db<
    { secrets: Uint8Array | null }[]
  >`select secrets from run where id = (select ${id}::uuid) and (team_id = ${teamId}) is true`;
  return row?.secrets ?? undefined;
}

const inSpan = (db: Queryable, { from, to }: Span) => db`
  ${from ? db`and r.id >= id_floor(${from})` : db``} ${to ? db`and r.id < id_floor(${to})` : db``}`;

/** Ids are ordered by time: sorting by id is sorting by creationDate, without ties. Large ones may be truncated. */
export async function listRuns(
  db: Queryable,
  teamId: string,
  given: RunFilter,
  page: { order: "ASC" | "DESC"; limit: number; offset: number; by?: RunSort | undefined },
): Promise<{ rows: RunRow[]; total: number; isMinimum?: boolean; sorted?: SortedRuns | undefined }> {
  const filter = await withWorkflowIds(db, teamId, given);
  const hidden = await hiddenFrom(db, teamId, given);
  const sorted = page.by && (await listSortedRunIds(db, { teamId, filter, hidden }, { ...page, by: page.by }));
  const byDate = page.order === "ASC" ? db`r.id asc` : db`r.id desc`;
  const order = sorted ? db`array_position(${sorted.ids}::uuid[], r.id)` : byDate;
  const searched = filter.search === undefined ? undefined : await searchRuns(db, { teamId, filter, hidden }, page);
  const labelled = filter.labels === undefined || sorted || searched ? undefined : await listLabelled(db, { teamId, filter, hidden }, page);
  const ids = sorted?.ids ?? searched?.ids ?? labelled?.ids;
  const wanted = ids
    ? db`${ids}::uuid[]`
    : db`array(select r.id from run r where ${matchesRuns(db, teamId, filter, hidden)} order by ${order} limit ${page.limit} offset ${page.offset})`;
  const [found, counted] = await Promise.all([
    db<SizedRow[]>`
      select r.id, octet_length(r.annotations::text) + octet_length(r.params::text) + octet_length(r.results::text) as bytes
      from run r where r.id = any(${wanted}) and (r.team_id = ${teamId}) is true order by ${order}`,
    searched ?? (labelled ? { total: labelled.total } : countRuns(db, teamId, filter, hidden).then((total) => ({ total }))),
  ]);
  const keys = found.map(({ id }) => id);
  const rows = await db<RunRow[]>`
    select ${columns(db, idsWithoutValues(found))} from run r ${visible(db)}
    where r.id = any(${keys}::uuid[]) and (r.team_id = ${teamId}) is true order by ${order}`;
  return { rows, ...counted, sorted };
}

/**
 * Phase and labels change, so results of these filters are counted each time (indexes run_queued, run_running, run_finalized, run_labels),
 * and so are open runs by their status (run_status).
 */
async function countRuns(db: Queryable, teamId: string, filter: RunFilter, hidden: HiddenWorkflows): Promise<number> {
  if (filter.phases?.includes("completed")) return countCompleted(db, teamId, filter, hidden);
  const count = async (span: Span) => {
    const [row] = await db<{ total: number }[]>`
      select count(*)::int as total from run r where ${matchesRuns(db, teamId, filter, hidden)} ${inSpan(db, span)}`;
    return row!.total;
  };
  if ([filter.phases, filter.ids, filter.labels, filter.acknowledged].some((one) => one !== undefined)) return count({});
  if (filter.statuses !== undefined) return countOfStatuses(db, teamId, filter, hidden);
  return countGrowing(db, JSON.stringify(["run", teamId, filter, hidden.state]), count);
}

async function countOfStatuses(db: Queryable, teamId: string, filter: RunFilter, hidden: HiddenWorkflows): Promise<number> {
  const ofStatus = (isWanted: (status: Status) => boolean): RunFilter => ({
    ...filter,
    statuses: (filter.statuses ?? []).filter((status) => isWanted(status as Status)),
  });
  const [open, over] = [ofStatus((status) => !isFinal(status)), ofStatus(isFinal)];
  const [row] = await db<{ total: number }[]>`
    select count(*)::int as total from run r where ${open.statuses!.length > 0 ? matchesRuns(db, teamId, open, hidden) : db`false`}`;
  return row!.total + (over.statuses!.length > 0 ? await countOver(db, teamId, over, hidden) : 0);
}

/**
 * The status of an ended run never changes. So these runs are a list that grows with each end: for a time range, those that ended in it are
 * counted with the index run_ended. Before a moment: all, minus those that ended later.
 */
function countOver(db: Queryable, teamId: string, filter: RunFilter, hidden: HiddenWorkflows): Promise<number> {
  const all = db`(select count(*)::int from run r where ${matchesRuns(db, teamId, filter, hidden)})`;
  const since = (moment: Date) => db`
    (select count(*)::int from run r where ${matchesRuns(db, teamId, filter, hidden)} and r.ended_at >= ${moment} and r.ended_at < 'infinity')`;
  return countGrowing(db, JSON.stringify(["run that is over", teamId, filter, hidden.state]), async ({ from, to }) => {
    const [row] = await db<{ total: number }[]>`
      select ${from ? since(from) : to ? db`${all} - ${since(to)}` : all} as total`;
    return row!.total;
  });
}

/** Nearly all runs are completed. So the others are counted, each kind with its own small index, and subtracted from all. */
async function countCompleted(db: Queryable, teamId: string, filter: RunFilter, hidden: HiddenWorkflows): Promise<number> {
  const { phases = [], ...rest } = filter;
  const others = [["pending", "queued"], ["running"], ["finalized"]]
    .map((group) => group.filter((phase) => !phases.includes(phase)))
    .filter((group) => group.length > 0);
  let total = await countRuns(db, teamId, rest, hidden);
  for (const group of others) total -= await countRuns(db, teamId, { ...rest, phases: group }, hidden);
  return total;
}

/** Open ones together, since they are few; the others as the total of a list. What can change is counted each time. */
export async function countRunsByStatus(db: Queryable, teamId: string, given: RunFilter): Promise<Map<Status, number>> {
  const hidden = await hiddenFrom(db, teamId, given);
  const filter = await withWorkflowIds(db, teamId, given);
  if (filter.search !== undefined) return countSearched(db, { teamId, filter, hidden });
  const isSettled = filter.labels === undefined && filter.acknowledged === undefined;
  const counted = isSettled ? { ...filter, statuses: statuses.filter((status) => !isFinal(status)) } : filter;
  const rows = await db<{ status: Status; count: number }[]>`
    select ${listedStatus(db)} as status, count(*)::int as count from run r where ${matchesRuns(db, teamId, counted, hidden)} group by 1`;
  const counts = new Map(rows.map((row) => [row.status, row.count]));
  if (!isSettled) return counts;
  for (const status of finalStatuses) {
    const count = await countRuns(db, teamId, { ...filter, statuses: [status] }, hidden);
    if (count > 0) counts.set(status, count);
  }
  return counts;
}

/** Why a queued run of a team waits. */
export interface QueueFacts {
  teamName: string;
  isTeamActive: boolean;
  /** Runs that have a slot. */
  active: number;
  /** The team's own quota. */
  max: number | null;
}

export async function findQueueFacts(db: Queryable, teamId: string): Promise<QueueFacts> {
  const [row] = await db<QueueFacts[]>`
    select t.name as "teamName", t.status = 'active' as "isTeamActive", t.max_concurrent_runs as max,
      (select count(*)::int from run r where r.team_id = t.id and r.activity = 'active') as active
    from team t where t.id = ${teamId}`;
  if (!row) throw new Error(`team ${teamId} is gone`);
  return row;
}

/** Status and workflow of runs that others wait for; unknown ones are left out. */
export async function listRunNames(
  db: Queryable,
  teamId: string,
  ids: readonly string[],
): Promise<{ id: string; status: Status; workflowName: string }[]> {
  return db<{ id: string; status: Status; workflowName: string }[]>`
    select r.id, r.status, case when starts_with(w.name, ${tryPrefix}) then w.display_name else w.name end as "workflowName" from run r ${visible(db)}
    where r.id = any(${[...ids]}::uuid[]) and (r.team_id = ${teamId}) is true`;
}

/** @returns false if the run has not ended yet, or was finalized before */
export async function markFinalized(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const rows = await db`
    update run set phase = 'finalized', state_version = state_version + 1
    where id = ${id} and (team_id = ${teamId}) is true and phase = 'completed' returning 1`;
  return rows.length > 0;
}

/** The labels of a run, locked until the transaction ends; undefined if the run no longer exists. */
export async function lockRunLabels(db: Queryable, teamId: string, id: string): Promise<Record<string, string> | undefined> {
  const [row] = await db<
    { labels: Record<string, string> }[]
  >`select labels from run where id = ${id} and (team_id = ${teamId}) is true for no key update`;
  return row?.labels;
}

/** Its version stays the same, so that processes keep their cached state of the run. */
export async function updateRunLabels(db: Queryable, teamId: string, id: string, labels: Readonly<Record<string, string>>): Promise<void> {
  await db`update run set labels = ${JSON.stringify(labels)}::jsonb where id = ${id} and (team_id = ${teamId}) is true`;
}

/** Of these runs, those that have ended, or no longer exist. */
export async function listRunsOver(db: Queryable, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select w.id from unnest(${ids as string[]}::uuid[]) as w(id)
    left join run r on r.id = w.id and (r.team_id = ${teamId}) is true
    where r.id is null or (r.phase in ('completed', 'finalized') and r.ended_at < (select db_now()) - interval '1 minute')`;
  return rows.map((row) => row.id);
}

/** Of these workflows, those that were deleted. */
export async function listGoneWorkflows(db: Queryable, teamId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select g.id from unnest(${ids as string[]}::uuid[]) as g(id)
    left join workflow w on w.team_id = ${teamId} and w.id = g.id and w.deleted_at is null
    where w.id is null`;
  return rows.map((row) => row.id);
}

import type { AbstractParam, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Trigger } from "@millrace/contract/trigger.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { type AuditRecord, auditInsert } from "../audit/audit.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { sqlState } from "../database/database-error.ts";
import { encodeRows } from "../database/encode-rows.ts";
import { type AnswerToKeep, answerInsert } from "../database/idempotency.ts";
import { isId } from "../team/directory.ts";
import { isOpenToTeam } from "../team/global-parameters.ts";
import { isNoTrial } from "../workflow/hidden-workflows.ts";
import { newTaskRow } from "./task-rows.ts";

/** Everything that a submission must know, read in one statement. */
export interface Submission {
  teamId: string;
  teamName: string;
  teamStatus: "active" | "inactive";
  teamParameters: AbstractParam[];
  globalParameters: AbstractParam[];
  maxConcurrentRuns: number | null;
  maxWaitingRuns: number | null;
  maxWorkflowRunDuration: number | null;
  maxWorkflowRunMonthly: number | null;
  maxWorkflowStorage: number | null;
  maxWorkflowRunStorage: number | null;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  workflowStatus: "active" | "inactive";
  isArchived: boolean;
  workflowLabels: Record<string, string>;
  triggers: Record<string, Partial<Trigger> | undefined>;
  latestVersion: number;
  /** Runs of the team wait in the queue, or have begun and wait for a place. */
  hasWaitingRuns: boolean;
  /** Null when the workflow has no such version. */
  workflowVersionId: string | null;
  version: number | null;
  params: AbstractParam[] | null;
  workspaces: WorkflowWorkspace[] | null;
  timeoutMinutes: number | null;
  retries: number | null;
  taskVersionIds: string[];
  /** The database's time. */
  now: Date;
  /** One id for the run and one for each node, oldest first. */
  ids: string[];
}

/**
 * @param ref id or name of the workflow
 * @returns undefined when the team has no such workflow
 */
export async function findSubmission(
  db: Queryable,
  teamId: string,
  ref: string,
  version: number | undefined,
): Promise<Submission | undefined> {
  const id = isId(ref) ? ref : null;
  const [row] = await db<Submission[]>`
    select t.id as "teamId", t.name as "teamName", t.status as "teamStatus", t.parameters as "teamParameters",
           coalesce((select json_agg(g.document) from global_parameter g where ${isOpenToTeam(db, teamId)}), '[]') as "globalParameters",
           t.max_concurrent_runs as "maxConcurrentRuns", t.max_waiting_runs as "maxWaitingRuns", t.max_workflow_run_duration as "maxWorkflowRunDuration",
           t.max_workflow_run_monthly as "maxWorkflowRunMonthly",
           t.max_workflow_storage as "maxWorkflowStorage", t.max_workflow_run_storage as "maxWorkflowRunStorage", w.id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName", w.status as "workflowStatus", w.archived_at is not null as "isArchived",
           exists (select from run q where q.team_id = t.id and q.phase in ('pending', 'queued') and q.held_for is null)
             or exists (select from run q where q.team_id = t.id and q.activity = 'wanted') as "hasWaitingRuns",
           w.labels as "workflowLabels", w.triggers, w.latest_version as "latestVersion",
           v.id as "workflowVersionId", v.version, v.document->'params' as params, v.document->'workspaces' as workspaces,
           (v.document->>'timeout')::int as "timeoutMinutes", (v.document->>'retries')::int as retries,
           array(select u.task_version_id from workflow_version_task u
                 where u.team_id = w.team_id and u.workflow_version_id = v.id order by u.task_version_id) as "taskVersionIds",
           db_now() as now,
           array(select new_id() from generate_series(0, json_array_length(v.document->'tasks'))) as ids
    from team t
    join workflow w on w.team_id = t.id and w.deleted_at is null and (w.name = ${ref} or w.id = ${id})
    left join workflow_version v on v.team_id = w.team_id and v.workflow_id = w.id and v.replaced_at is null
      and v.version = coalesce(${version ?? null}::int, w.latest_version)
    where t.id = ${teamId} and t.deleted_at is null
    order by (w.name = ${ref}) desc limit 1`;
  if (row) row.ids.sort();
  return row;
}

export interface TeamLimits {
  name: string;
  status: "active" | "inactive";
  maxConcurrentRuns: number | null;
  maxWaitingRuns: number | null;
  maxWorkflowRunDuration: number | null;
  maxWorkflowRunMonthly: number | null;
  maxWorkflowStorage: number | null;
  maxWorkflowRunStorage: number | null;
}

/** What a run that is done again must know of its team. @throws TEAM_INVALID_REF when it was deleted meanwhile */
export async function findTeamLimits(db: Queryable, teamId: string): Promise<TeamLimits> {
  const [row] = await db<TeamLimits[]>`
    select name, status, max_concurrent_runs as "maxConcurrentRuns", max_waiting_runs as "maxWaitingRuns", max_workflow_run_duration as "maxWorkflowRunDuration",
           max_workflow_run_monthly as "maxWorkflowRunMonthly", max_workflow_storage as "maxWorkflowStorage",
           max_workflow_run_storage as "maxWorkflowRunStorage"
    from team where id = ${teamId} and deleted_at is null`;
  if (!row) throw new AppError("TEAM_INVALID_REF", [teamId]);
  return row;
}

/**
 * Locks the team; what is counted of it in the next statements stays true.
 *
 * @throws TEAM_INVALID_REF when it was deleted meanwhile, WORKFLOW_TEAM_INACTIVE
 */
export async function lockLiveTeam(db: Queryable, teamId: string): Promise<void> {
  const [team] = await db<{ name: string; status: string }[]>`
    select name, status from team where id = ${teamId} and deleted_at is null for no key update`;
  if (!team) throw new AppError("TEAM_INVALID_REF", [teamId]);
  if (team.status !== "active") throw new AppError("WORKFLOW_TEAM_INACTIVE", [team.name]);
}

/** Waits for the submissions to the team that have not ended; the next ones wait for this transaction, and see what it changes. */
export async function holdSubmissions(db: Queryable, teamId: string): Promise<void> {
  await db`select hold_submissions(${teamId})`;
}

/** Runs that were submitted in this calendar month (UTC), those of deleted workflows too, without trials; not counted beyond `max`. */
export async function countMonthlyRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run r where team_id = ${teamId} and ${isNoTrial(db)}
        and id >= id_floor(date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC')
      limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Runs that have begun and only wait: a stretch of an index, read to its end or to `max`. Not for every submission: see run-capacities.ts.
 */
export async function countWaitingRuns(db: Queryable, teamId: string, max: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from run where team_id = ${teamId} and phase = 'running' and activity = 'none' limit ${max}) as counted`;
  return row?.count ?? 0;
}

/**
 * Locks the team and counts its active runs in a new statement (index run_active): what a run needs that is to have a place at once.
 *
 * @throws TEAM_INVALID_REF when the team was deleted meanwhile, WORKFLOW_TEAM_INACTIVE
 */
export async function countActiveLocked(db: Queryable, teamId: string): Promise<number> {
  await lockLiveTeam(db, teamId);
  return countActive(db, teamId);
}

/** The same without waiting for the lock. @returns undefined when another transaction holds it, or the team may run nothing any more */
export async function countActiveUnlessLocked(tx: Transaction, teamId: string): Promise<number | undefined> {
  const held = await tx`
    select 1 from team where id = ${teamId} and deleted_at is null and status = 'active' for no key update skip locked`;
  return held.length === 0 ? undefined : countActive(tx, teamId);
}

async function countActive(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from run where team_id = ${teamId} and activity = 'active'`;
  return row?.count ?? 0;
}

export interface NewRun {
  state: RunState;
  plan: Plan;
  /** The database's time, read together with the ids: when the run was made. */
  now: Date;
  workflowVersion: number;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: { name: string; value: unknown }[];
  /** Envelope of the secret values; null when there are none. */
  secrets: Uint8Array | null;
  workspaces: WorkflowWorkspace[];
  initiatedBy: string | null;
  retryOf: string | null;
  amendedBy?: readonly string[];
  debug: boolean;
  /** Of the concurrency limit that it counts against. */
  slotKey?: string | undefined;
  /** Its place in the queue, where that is not its id. */
  queueRank?: string | undefined;
  audit?: AuditRecord | undefined;
  kept?: AnswerToKeep | undefined;
}

/**
 * Records a run and its task runs, in whatever state they already are, and the audit record of that, in one statement. The task runs refer
 * to the new row, or the database might write them first, and an event about one of them would not know its run.
 *
 * @throws WORKFLOW_INVALID_REFERENCE when the workflow was deleted meanwhile, WORKFLOW_TEAM_INACTIVE when the run has begun and its team was
 *   paused meanwhile
 */
export async function insertRun(db: Queryable, run: NewRun): Promise<void> {
  try {
    await insertRows(db, run);
  } catch (error) {
    const { teamId, workflowId, layers } = run.state;
    if (sqlState(error) === "ME404") throw new AppError("WORKFLOW_INVALID_REFERENCE", [workflowId], { cause: error });
    if (sqlState(error) === "ME423")
      throw new AppError("WORKFLOW_TEAM_INACTIVE", [layers.context?.["team-name"] ?? teamId], { cause: error });
    throw error;
  }
}

async function insertRows(db: Queryable, run: NewRun): Promise<void> {
  const { state } = run;
  const tasks = await encodeRows(
    [...state.nodes, ...[...state.items.values()].flatMap((items) => [...items])].map((task) => newTaskRow(run.plan, state, task)),
  );
  await db`
    with new_run as (
      insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, reason,
        status_message, status_override, trigger, initiated_by, labels, annotations, params, layers, default_image, secrets, workspaces, results,
        timeout_minutes, retries, retry_count, retry_of, parent_run_id, parent_task_run_id, depth, lineage, traceparent, debug, task_count,
        awaiting_approval, created_at, started_at, ended_at, due_at, max_active_minutes, activity, active_since, active_ms, warning_count,
        amended_by, slot_key, held_for, queue_rank)
      values (${state.id}, ${state.teamId}, require_runnable(${state.teamId}, ${state.workflowId}, ${hasBegun(state)}), ${state.workflowVersionId}, ${run.workflowVersion}, ${state.taskVersionIds},
        ${state.status}, ${state.phase}, ${state.reason}, ${state.statusMessage}, ${state.statusOverride}, ${state.trigger},
        ${run.initiatedBy}, ${JSON.stringify(run.labels)}::jsonb, ${JSON.stringify(run.annotations)}::json,
        ${JSON.stringify(run.params)}::json, ${JSON.stringify(state.layers)}::json, ${state.defaultImage}, ${run.secrets},
        ${JSON.stringify(run.workspaces)}::json, ${JSON.stringify(state.results)}::json, ${state.timeoutMinutes}, ${state.retries},
        ${state.retryCount}, ${run.retryOf}, ${state.parentRunId}, ${state.parentTaskRunId}, ${state.depth}, ${[...state.lineage]}::uuid[], ${state.traceparent}, ${run.debug},
        ${state.nodes.length}, ${state.awaitingApproval}, ${run.now}, ${time(state.startedAt)}, ${time(state.endedAt)}, ${time(state.dueAt)},
        ${state.maxActiveMinutes}, ${state.activity}, ${time(state.activeSince)}, ${state.activeMs}, ${state.warningCount},
        ${[...(run.amendedBy ?? [])]}, ${run.slotKey ?? null}, ${state.heldFor}, ${run.queueRank ?? null})
      returning team_id, id
    ), noted as (insert into run_search_due (team_id, run_id) select team_id, id from new_run)
    ${run.kept ? db`, kept as (${answerInsert(db, run.kept)})` : db``}
    ${run.audit ? db`, audited as (${auditInsert(db, run.audit)})` : db``}
    select insert_task_runs(${tasks}::json, array(select id from new_run))
    union all
    select place_ready_tasks(${tasks}::json, array[${state.id}]::uuid[]) where ${run.workspaces.length > 0 && hasReady(state)}
    union all
    select note_work(array[${state.teamId}]::uuid[]) where ${hasWork(state)}`;
}

function time(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

function hasBegun({ phase }: RunState): boolean {
  return phase !== "pending" && phase !== "queued";
}

function hasWork(state: RunState): boolean {
  return state.phase === "pending" || state.activity === "wanted" || hasReady(state);
}

function hasReady({ nodes }: RunState): boolean {
  return nodes.some((task) => task.status === "ready");
}

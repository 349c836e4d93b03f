// Runs, task runs and audit records as JSON, in the form that the functions of the database take.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nodePlacing } from "../../core/task/place-task.ts";
import { nodeAt, type Plan } from "../../core/workflow/plan.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { AnswerToKeep } from "../database/idempotency.ts";

export interface NewRun {
  state: RunState;
  plan: Plan;
  /** The database's time, read together with the ids: when the run was created. */
  now: Date;
  workflowVersion: number;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: { name: string; value: unknown }[];
  /** Envelope of the secret values; null if there are none. */
  secrets: Uint8Array | null;
  workspaces: WorkflowWorkspace[];
  initiatedBy: string | null;
  retryOf: string | null;
  amendedBy?: readonly string[];
  debug: boolean;
  /** Key of the concurrency limit that it counts against. */
  slotKey?: string | undefined;
  /** Its position in the queue, if that is not its id. */
  queueRank?: string | undefined;
  audit?: AuditRecord | undefined;
  kept?: AnswerToKeep | undefined;
}

/** The members are the columns of the table `run` (store/functions/insert-runs.sql). */
export function runRow(run: NewRun) {
  const { state } = run;
  return {
    id: state.id,
    team_id: state.teamId,
    workflow_id: state.workflowId,
    workflow_version_id: state.workflowVersionId,
    workflow_version: run.workflowVersion,
    task_version_ids: state.taskVersionIds,
    status: state.status,
    phase: state.phase,
    reason: state.reason,
    status_message: state.statusMessage,
    status_override: state.statusOverride,
    trigger: state.trigger,
    initiated_by: run.initiatedBy,
    labels: run.labels,
    annotations: run.annotations,
    params: run.params,
    layers: state.layers,
    default_image: state.defaultImage,
    secrets: run.secrets === null ? null : `\\x${Buffer.from(run.secrets).toString("hex")}`,
    workspaces: run.workspaces,
    results: state.results,
    timeout_minutes: state.timeoutMinutes,
    retries: state.retries,
    retry_count: state.retryCount,
    retry_of: run.retryOf,
    parent_run_id: state.parentRunId,
    parent_task_run_id: state.parentTaskRunId,
    depth: state.depth,
    lineage: state.lineage,
    traceparent: state.traceparent,
    debug: run.debug,
    task_count: state.nodes.length,
    awaiting_approval: state.awaitingApproval,
    created_at: time(run.now.getTime()),
    started_at: time(state.startedAt),
    ended_at: time(state.endedAt),
    due_at: time(state.dueAt),
    max_active_minutes: state.maxActiveMinutes,
    activity: state.activity,
    active_since: time(state.activeSince),
    active_ms: state.activeMs,
    warning_count: state.warningCount,
    amended_by: run.amendedBy ?? [],
    slot_key: run.slotKey,
    held_for: state.heldFor,
    queue_rank: run.queueRank,
  };
}

export function auditRow(record: AuditRecord) {
  return {
    team_id: record.teamId,
    principal_kind: record.principalKind,
    principal_id: record.principalId,
    principal_name: record.principalName,
    token_id: record.tokenId,
    action: record.action,
    object_kind: record.objectKind,
    object_id: record.objectId,
    object_name: record.objectName,
    request_id: record.requestId,
    before: record.before,
    after: record.after,
  };
}

/** @param atOnce ids of task runs that are for the worker whose report makes them ready (core/worker/slot-shares.ts) */
export function updatedRow(run: RunState, before: TaskState, after: TaskState, atOnce?: ReadonlySet<string>) {
  return {
    team_id: run.teamId,
    run_id: run.id,
    id: after.id,
    seen_attempt: before.attempt,
    seen_status: before.status,
    for_claimer: atOnce?.has(after.id) ? true : undefined,
    ...taskColumns(after, before),
  };
}

/** Row of a task run that does not exist yet. */
export function newTaskRow(plan: Plan, run: Pick<RunState, "teamId" | "id">, task: TaskState) {
  const node = nodeAt(plan, task.node);
  const { task: definition } = node;
  return {
    team_id: run.teamId,
    run_id: run.id,
    id: task.id,
    node: task.node,
    item: task.item ?? undefined,
    name: task.name,
    type: task.type,
    task_id: definition?.id,
    task_version_id: definition?.versionId,
    task_version: definition?.version,
    timeout_minutes: task.timeoutMinutes ?? undefined,
    runs_on: nodePlacing(node).runsOn,
    ...taskColumns(task),
  };
}

/** Null values are not written: nearly half of a row's text would be names of columns without a value. */
function taskColumns(task: TaskState, before?: TaskState) {
  return {
    status: task.status,
    phase: task.phase,
    reason: task.reason ?? undefined,
    status_message: task.statusMessage ?? undefined,
    attempt: task.attempt,
    retries_used: task.retriesUsed,
    losses: task.losses,
    // The older name stays in the database, since programs of the previous version read the column while they are replaced.
    given_back: task.releasedLosses,
    decision_value: task.decisionValue ?? undefined,
    wait_kind: task.waitKind ?? undefined,
    wait_key: task.waitKey ?? undefined,
    wait_detail: task.waitDetail ?? undefined,
    executor: task.executor ?? undefined,
    worker_id: task.workerId ?? undefined,
    ready_at: timeOf(task.readyAt),
    claimable_at: task.status === "ready" && task.executor !== null ? timeOf(task.readyAt) : undefined,
    started_at: timeOf(task.startedAt),
    ended_at: timeOf(task.endedAt),
    due_at: timeOf(task.dueAt),
    deadline_at: timeOf(task.deadlineAt),
    params: changed(task.params, before?.params),
    results: changed(task.results, before?.results),
    warnings: changed(task.warnings, before?.warnings),
  };
}

/** A missing member keeps the stored value. */
function changed<T extends unknown[]>(value: T | undefined, before: T | undefined): T | undefined {
  if (value === undefined || value === before || (value.length === 0 && before === undefined)) return undefined;
  return value;
}

function timeOf(epochMs: number | null): string | undefined {
  return time(epochMs) ?? undefined;
}

/** The last one that was written: most times in the rows of a run, and in those of its batch, are the same. */
let lastMs = 0;
let lastText = new Date(0).toISOString();

export function time(epochMs: number | null): string | null {
  if (epochMs === null) return null;
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}

/** Longest stretch of encoding, in ms, before other work runs. */
const stretchMs = 10;
/** Characters that are certainly encoded within a stretch. */
const smallLength = 256 * 1024;

/**
 * Rows as a JSON array for one parameter of a statement. A few rows may contain tens of megabytes of parameters: they are encoded row by
 * row, so that other requests and leases don't wait for all of them. The usual few kilobytes are encoded without a pause.
 */
export async function encodeRows(rows: Iterable<object>): Promise<string> {
  const texts: string[] = [];
  let startedAt = performance.now();
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    length += text.length;
    if (length > smallLength && performance.now() - startedAt > stretchMs) {
      await nextTurn();
      startedAt = performance.now();
    }
  }
  return `[${texts.join(",")}]`;
}

/**
 * New items of forEach nodes, for the function insert_items. Consecutive items differ only in a few columns, and writing and reading the
 * other columns for each of them costs several times what the rows cost. So these are written once, in the first item of a group.
 */
export async function encodeItems(changes: readonly { plan: Plan; change: RunChange }[]): Promise<string> {
  const groups = await Promise.all(
    changes.flatMap(({ plan, change }) => groupAlike(change.created).map((group) => encode(plan, change, group))),
  );
  return `[${groups.join(",")}]`;
}

async function encode(plan: Plan, { after }: RunChange, group: readonly TaskState[]): Promise<string> {
  const [first] = group;
  if (!first) return "";
  const { id, item, params, results, warnings, ...like } = newTaskRow(plan, after, first);
  const rows = group.map((task) => ({ id: task.id, i: task.item, p: task.params, r: task.results, w: someOf(task.warnings) }));
  return `{"like":${JSON.stringify({ ...like, name: nodeAt(plan, first.node).name })},"rows":${await encodeRows(rows)}}`;
}

function someOf<T>(list: T[] | undefined): T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

function groupAlike(tasks: readonly TaskState[]): TaskState[][] {
  const groups: TaskState[][] = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    if (last?.[0] && areAlike(last[0], task)) last.push(task);
    else groups.push([task]);
  }
  return groups;
}

type Shared = Exclude<keyof TaskState, "id" | "item" | "name" | "params" | "results" | "warnings">;

/** Everything that the items of a group share: the columns of a task run that `encode` does not write for each. */
const shared = Object.keys({
  node: true,
  type: true,
  status: true,
  phase: true,
  reason: true,
  statusMessage: true,
  attempt: true,
  retriesUsed: true,
  losses: true,
  releasedLosses: true,
  decisionValue: true,
  waitKind: true,
  waitKey: true,
  waitDetail: true,
  executor: true,
  timeoutMinutes: true,
  workerId: true,
  readyAt: true,
  startedAt: true,
  endedAt: true,
  dueAt: true,
  deadlineAt: true,
} satisfies Record<Shared, true>) as Shared[];

function areAlike(one: TaskState, other: TaskState): boolean {
  for (const member of shared) if (one[member] !== other[member]) return false;
  return true;
}

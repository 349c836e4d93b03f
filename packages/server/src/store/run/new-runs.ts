import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import { listWaitKinds, type RunState } from "../../core/run/run-state.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { AuditRecord } from "../audit/audit.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isOutage, sqlState } from "../database/database-error.ts";
import { type AnswerToKeep, answerInsert } from "../database/idempotency.ts";
import type { RunRow } from "./runs.ts";
import { encodeRows, newTaskRow, time as timeOf } from "./task-rows.ts";

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

/** A run in the form in which `insertRuns` sends it. */
export interface EncodedRun {
  id: string;
  teamId: string;
  /** How errors name them. */
  teamName: unknown;
  workflowId: string;
  /** JSON of its row, of those of its task runs (a list), and of its audit record; empty if it has none. */
  row: string;
  tasks: string;
  audit: string;
  /** Some of its tasks can be claimed, and it has workspaces: they are claimed where those are. */
  isPlaced: boolean;
  hasWork: boolean;
}

export async function encodeRun(run: NewRun): Promise<EncodedRun> {
  const { state, audit, workspaces } = run;
  const tasks = [...state.nodes, ...[...state.items.values()].flatMap((items) => [...items])];
  return {
    id: state.id,
    teamId: state.teamId,
    teamName: state.layers.context?.["team-name"] ?? state.teamId,
    workflowId: state.workflowId,
    row: JSON.stringify(runRow(run)),
    tasks: await encodeRows(tasks.map((task) => newTaskRow(run.plan, state, task))),
    audit: audit ? JSON.stringify(auditRow(audit)) : "",
    isPlaced: workspaces.length > 0 && hasReady(state),
    hasWork: state.phase === "pending" || state.activity === "wanted" || hasReady(state),
  };
}

/**
 * Records runs of one team with their task runs, in whatever state they are, and the audit records, in one statement
 * (store/functions/insert-runs.sql): all of them, or none.
 *
 * @param kept the response that is stored with them
 * @throws WORKFLOW_INVALID_REFERENCE if the workflow was deleted in the meantime, WORKFLOW_TEAM_INACTIVE if a run has started and its team
 * was paused in the meantime
 */
export async function insertRuns(db: Queryable, runs: readonly EncodedRun[], kept?: AnswerToKeep): Promise<void> {
  try {
    await db`
      ${kept ? db`with kept as (${answerInsert(db, kept)})` : db``}
      select insert_runs(${rowsOf(db, runs)})`;
  } catch (error) {
    const [{ workflowId, teamName }] = runs as readonly [EncodedRun];
    if (sqlState(error) === "ME404") throw new AppError("WORKFLOW_INVALID_REFERENCE", [workflowId], { cause: error });
    if (sqlState(error) === "ME423") throw new AppError("WORKFLOW_TEAM_INACTIVE", [teamName], { cause: error });
    throw error;
  }
}

/**
 * The same for runs of one team that start with a slot each, counted under the lock of the team.
 * @param most slots of the team
 * @returns false if it has not enough, or may run nothing, and none was recorded
 */
async function insertPlacedRuns(db: Queryable, runs: readonly EncodedRun[], most: number): Promise<boolean> {
  const [{ teamId }] = runs as readonly [EncodedRun];
  const [row] = await db<{ done: boolean }[]>`select insert_placed_runs(${teamId}, ${most}, ${runs.length}, ${rowsOf(db, runs)}) as done`;
  return row?.done === true;
}

function rowsOf(db: Queryable, runs: readonly EncodedRun[]) {
  const list = (texts: readonly string[]) => `[${texts.filter((text) => text !== "").join(",")}]`;
  const tasks = list(runs.map((run) => run.tasks.slice(1, -1)));
  const placed = runs.filter(({ isPlaced }) => isPlaced).map(({ id }) => id);
  return db`${list(runs.map(({ row }) => row))}::json, ${tasks}::json, ${list(runs.map(({ audit }) => audit))}::json,
    ${placed}::uuid[], ${runs.some(({ hasWork }) => hasWork)}`;
}

function runRow(run: NewRun) {
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
    created_at: timeOf(run.now.getTime()),
    started_at: timeOf(state.startedAt),
    ended_at: timeOf(state.endedAt),
    due_at: timeOf(state.dueAt),
    max_active_minutes: state.maxActiveMinutes,
    activity: state.activity,
    active_since: timeOf(state.activeSince),
    active_ms: state.activeMs,
    warning_count: state.warningCount,
    amended_by: run.amendedBy ?? [],
    slot_key: run.slotKey,
    held_for: state.heldFor,
    queue_rank: run.queueRank,
  };
}

function auditRow(record: AuditRecord) {
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

function hasReady({ nodes }: RunState): boolean {
  return nodes.some((task) => task.status === "ready");
}

type Copied =
  | "workflowName"
  | "workflowDisplayName"
  | "workflowVersion"
  | "labels"
  | "annotations"
  | "params"
  | "workspaces"
  | "initiatedBy"
  | "retryOf"
  | "debug";

/** What its state does not say. */
type Recorded = Pick<RunRow, Copied> & { now: Date };

/**
 * A run that was recorded just now, as a read would find it.
 *
 * As one literal: with parts that are spread into it, it took a tenth of all that a submission computes.
 */
export function recordedRow(record: Recorded, state: RunState): RunRow {
  return {
    id: state.id,
    status: state.status,
    phase: state.phase,
    activity: state.activity,
    reason: state.reason,
    statusMessage: state.statusMessage,
    timeoutMinutes: state.timeoutMinutes,
    retries: state.retries,
    retryCount: state.retryCount,
    awaitingApproval: state.awaitingApproval,
    results: state.results,
    parentRunId: state.parentRunId,
    workflowId: state.workflowId,
    workflowName: record.workflowName,
    workflowDisplayName: record.workflowDisplayName,
    workflowVersion: record.workflowVersion,
    workflowVersionId: state.workflowVersionId,
    taskVersionIds: state.taskVersionIds,
    trigger: state.trigger,
    warningCount: state.warningCount,
    heldFor: state.heldFor,
    maxActiveMinutes: state.maxActiveMinutes,
    waitKinds: listWaitKinds(state),
    labels: record.labels,
    annotations: record.annotations,
    params: record.params,
    workspaces: record.workspaces,
    initiatedBy: record.initiatedBy,
    retryOf: record.retryOf,
    debug: record.debug,
    initiatorName: null,
    acknowledgement: null,
    commentCount: 0,
    createdAt: record.now,
    startedAt: dateOf(state.startedAt),
    endedAt: dateOf(state.endedAt),
  };
}

export function dateOf(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

/** A refusal of one run must not refuse the others: none was recorded, so each is then recorded by itself. */
export async function insertRunBatch(recorded: readonly RunToInsert[]): Promise<(undefined | { error: unknown })[]> {
  const [{ db }] = recorded as readonly [RunToInsert];
  try {
    const runs = recorded.map(({ run }) => run);
    await insertRuns(db, runs);
    return runs.map(() => undefined);
  } catch (error) {
    if (recorded.length === 1 || isOutage(error)) throw error;
  }
  return Promise.all(
    recorded.map(({ run }) =>
      insertRuns(db, [run]).then(
        () => undefined,
        (error: unknown) => ({ error }),
      ),
    ),
  );
}

/** All of them, or none. */
export async function insertPlacedBatch(recorded: readonly RunToBegin[]): Promise<boolean[]> {
  const [{ db }] = recorded as readonly [RunToBegin];
  const runs = recorded.map(({ run }) => run);
  const most = Math.min(...recorded.map((one) => one.most));
  const areBegun = await insertPlacedRuns(db, runs, most).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    return false;
  });
  return recorded.map(() => areBegun);
}

export interface RunToInsert {
  db: Database;
  run: EncodedRun;
}

export interface RunToBegin extends RunToInsert {
  /** Slots of the team. */
  most: number;
}

/** A run with more characters is recorded alone, so that no other one waits for it. */
const maxCharacters = 32 * 1024;

export function isLarge({ row, tasks }: EncodedRun): boolean {
  return row.length + tasks.length > maxCharacters;
}

// A run before anything has happened to it: its state, and its row as a read would find it.
import type { TriggerKind } from "@millrace/contract/status.ts";
import { isExecutorType } from "@millrace/contract/status.ts";
import type { Lineage } from "../../core/run/lineage.ts";
import { type Layers, listWaitKinds, newTaskState, type RunState, type TaskState } from "../../core/run/run-state.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { RunRow } from "../../store/run/runs.ts";

export interface RunContent {
  teamId: string;
  workflowId: string;
  workflowVersionId: string;
  taskVersionIds: string[];
  trigger: TriggerKind;
  layers: Layers;
  /** For steps without an image; null: there is none. */
  defaultImage: string | null;
  timeoutMinutes: number | null;
  /** Quota of the team; null: none. */
  maxActiveMinutes: number | null;
  /** The longest time of one attempt on an executor, in minutes, if the node sets no limit or a longer one. */
  maxTaskTimeoutMinutes: number;
  retries: number;
  retryCount?: number;
  parent?: { runId: string; taskRunId: string | null; depth: number };
  lineage: Lineage;
  traceparent: string | null;
}

/** A run before anything happens: queued, all task runs not started. @param ids the run's, then one for each node */
export function newRunState(plan: Plan, content: RunContent, ids: readonly string[]): RunState {
  const [id, ...taskIds] = ids;
  if (!id || taskIds.length < plan.nodes.length) throw new Error(`a run of ${plan.nodes.length} nodes needs more than ${ids.length} ids`);
  return {
    teamId: content.teamId,
    id,
    stateVersion: 1,
    status: "ready",
    phase: "pending",
    reason: null,
    statusMessage: null,
    statusOverride: null,
    trigger: content.trigger,
    workflowId: content.workflowId,
    workflowVersionId: content.workflowVersionId,
    taskVersionIds: content.taskVersionIds,
    layers: content.layers,
    defaultImage: content.defaultImage,
    results: [],
    timeoutMinutes: content.timeoutMinutes,
    maxActiveMinutes: content.maxActiveMinutes,
    activity: "none",
    activeSince: null,
    activeMs: 0,
    retries: content.retries,
    retryCount: content.retryCount ?? 0,
    parentRunId: content.parent?.runId ?? null,
    parentTaskRunId: content.parent?.taskRunId ?? null,
    depth: content.parent?.depth ?? 0,
    lineage: content.lineage,
    traceparent: content.traceparent,
    awaitingApproval: false,
    heldFor: null,
    warningCount: 0,
    startedAt: null,
    endedAt: null,
    dueAt: null,
    nodes: plan.nodes.map((node) => newTask(plan, node.index, taskIds[node.index] as string, content.maxTaskTimeoutMinutes)),
    items: new Map(),
  };
}

function newTask(plan: Plan, node: number, id: string, maxTaskTimeoutMinutes: number): TaskState {
  const task = newTaskState(plan, node, id);
  if (!isExecutorType(task.type)) return task;
  return { ...task, timeoutMinutes: Math.min(task.timeoutMinutes ?? maxTaskTimeoutMinutes, maxTaskTimeoutMinutes) };
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

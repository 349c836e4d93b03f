import type { RunResult } from "@millrace/contract/common.ts";
import { isExecutorType, type Phase, type Status, type TaskType, type TriggerKind, type WaitKind } from "@millrace/contract/status.ts";
import type { RunNeed } from "../task/place-task.ts";
import type { NamedValue, Plan } from "../workflow/plan.ts";
import type { ItemList } from "./items/item-list.ts";
import type { Lineage } from "./lineage.ts";
import type { ActiveTime, RunLimits } from "./run-activity.ts";

/**
 * The state of a run as the pure core sees it: the run row and all its task runs, without the large values. Times are epoch milliseconds of
 * the database's clock. `advance` never changes a state in place.
 */

/** Beside what the API names: the task of a forEach waits for its items, and one that is ready for a slot of its team. */
export type TaskWaitKind = WaitKind | "items" | "quota";

export type { RunResult };

export interface Warning {
  /** Absent for a warning about a reference. */
  code?: "CUT_BY_LIMIT" | "SHARED_VARIABLE" | "PATTERN_NOT_TRIED" | "LINE_END_IN_VALUE";
  /** The parameter, and the reference in it that could not be resolved. */
  reference: string;
  why: string;
}

export interface TaskState {
  id: string;
  node: number;
  /** Index of the forEach item; null for the node itself. */
  item: number | null;
  name: string;
  type: TaskType;
  readonly status: Status;
  readonly phase: Phase;
  reason: string | null;
  statusMessage: string | null;
  attempt: number;
  retriesUsed: number;
  /** How many attempts were lost in a row, up to now. */
  losses: number;
  /** How many of these were released by a worker that shut down in good order: they say nothing about the task. */
  releasedLosses: number;
  decisionValue: string | null;
  waitKind: TaskWaitKind | null;
  waitKey: string | null;
  waitDetail: string | null;
  /** What it needs (place-task.ts), from ready on; null for the engine's own. */
  executor: RunNeed | null;
  /** The limit of each attempt, in minutes; null: only the run's own deadline applies. */
  timeoutMinutes: number | null;
  workerId: string | null;
  readyAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  /** When the engine must look again: wake time, retry or deadline, whichever comes first. */
  dueAt: number | null;
  deadlineAt: number | null;
  /** Undefined: not loaded. */
  results: RunResult[] | undefined;
  /** Set when the task became ready; undefined: not loaded. */
  params: NamedValue[] | undefined;
  warnings: Warning[] | undefined;
}

export interface Layers {
  global: Record<string, unknown>;
  team: Record<string, unknown>;
  workflow: Record<string, unknown>;
  context: Record<string, unknown>;
  /**
   * Parameters of the workflow whose default refers to a name that does not exist, each with the reason: a task that refers to such a
   * parameter can't start.
   */
  unresolved?: Readonly<Record<string, string>>;
}

export interface RunState extends ActiveTime, RunLimits {
  teamId: string;
  id: string;
  /** The optimistic fence: incremented by every change to the run or its task runs. */
  stateVersion: number;
  readonly status: Status;
  readonly phase: Phase;
  reason: string | null;
  statusMessage: string | null;
  statusOverride: "succeeded" | "failed" | null;
  trigger: TriggerKind;
  workflowId: string;
  workflowVersionId: string;
  taskVersionIds: string[];
  layers: Layers;
  /** The instance's image for steps without one, as it was when the run was submitted; null: none was set. */
  defaultImage: string | null;
  results: RunResult[];
  retries: number;
  retryCount: number;
  parentRunId: string | null;
  parentTaskRunId: string | null;
  depth: number;
  lineage: Lineage;
  /** The trace context of the request that submitted the run (base/trace/trace-context.ts); null: the caller sent none. */
  traceparent: string | null;
  awaitingApproval: boolean;
  /** What the run waits for before it enters the queue, because of a limit of its workflow (schema: run_waiting); null: nothing. */
  heldFor: "slot" | "rate" | "events" | null;
  /** Number of warnings of all its task runs. */
  warningCount: number;
  endedAt: number | null;
  dueAt: number | null;
  /** By node index. */
  nodes: TaskState[];
  /** Items of forEach nodes, by node index, in item order. */
  items: ReadonlyMap<number, ItemList<TaskState>>;
}

/** The initial state of the task run of a node or item. */
export function newTaskState(plan: Plan, node: number, id: string, item: number | null = null): TaskState {
  const planNode = plan.nodes[node];
  if (!planNode) throw new Error(`the plan has no node ${node}`);
  return {
    id,
    node,
    item,
    name: item === null ? planNode.name : `${planNode.name}[${item}]`,
    type: planNode.type,
    status: "notstarted",
    phase: "pending",
    reason: null,
    statusMessage: null,
    attempt: 0,
    retriesUsed: 0,
    losses: 0,
    releasedLosses: 0,
    decisionValue: null,
    waitKind: null,
    waitKey: null,
    waitDetail: null,
    executor: null,
    timeoutMinutes: planNode.timeoutMinutes ?? null,
    workerId: null,
    readyAt: null,
    startedAt: null,
    endedAt: null,
    dueAt: null,
    deadlineAt: null,
    results: [],
    params: [],
    warnings: [],
  };
}

/** What a started run waits for while nothing in it runs, in alphabetical order; store/run/runs.ts reads the same. */
export function listWaitKinds({ phase, activity, nodes, items }: RunState): WaitKind[] {
  if (phase !== "running" || activity !== "none") return [];
  const found = new Set<WaitKind>();
  for (const tasks of [nodes, ...items.values()]) {
    for (const { status, waitKind } of tasks) {
      if (status === "waiting" && waitKind !== null && waitKind !== "items" && waitKind !== "quota") found.add(waitKind);
    }
  }
  return [...found].sort();
}

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

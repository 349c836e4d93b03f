import { isExecutorType, isFinal, type Status } from "@millrace/contract/status.ts";
import { CostlyPatterns } from "../parameter/condition.ts";
import { sharedVariableWarnings } from "../parameter/parameter-variable.ts";
import { resolveValue } from "../parameter/parameters.ts";
import { placeTask, type RunNeed } from "../task/place-task.ts";
import type { Finished, Outcome, TypeContext, Waiting } from "../task/task-type.ts";
import { type JobStep, resolveImages } from "../task/tekton/job-steps.ts";
import type { NamedValue, Pin, PlanNode } from "../workflow/plan.ts";
import { cutTimes } from "./cut-by-limit.ts";
import { endOrRetry, finishTask } from "./finish-task.ts";
import { handlerDeadline } from "./handlers/handler-turns.ts";
import {
  type NodeScope,
  type OwnScope,
  parameterScope,
  resolveItemList,
  resolveNodeParams,
  UnresolvedReference,
  withoutUnresolved,
} from "./resolve-node.ts";
import { maxNodeParamsLength, maxResultsLength, OversizedParameters, OversizedValues } from "./result-sizes.ts";
import { heldForPlace, wallDeadline } from "./run-activity.ts";
import type { TaskState, Warning } from "./run-state.ts";
import type { TaskPatch, TransitionBuilder } from "./transition-builder.ts";

/** Starts a task run that may run now: resolves its parameters, then lets its type decide what happens. */
export function makeReady(draft: TransitionBuilder, task: TaskState): void {
  const node = draft.node(task.node);
  if (node.type === "start" || node.type === "end") return finishMarker(draft, task);
  if (node.pin) return finishPinned(draft, task, node.pin);
  if ((node.forEach || node.loop) && task.item === null) {
    draft.expanding.push(task.node);
    return;
  }
  const resolved = unlessUnreadable(draft, task, () => resolveNode(draft, node, task));
  if (!resolved) return;
  const warnings = [...resolved.warnings, ...cutWarnings(draft, task, resolved.params)];
  if (isExecutorType(node.type)) warnings.push(...sharedVariableWarnings(resolved.params));
  const patch = { params: resolved.params, warnings, ...clearedWait, readyAt: draft.now, dueAt: null };
  const ready = draft.move(task, patch, turnOf(task));
  if (isExecutorType(node.type)) dispatch(draft, ready);
  else startHere(draft, ready);
}

/** `start` and `end` have nothing to do: they end as soon as they start. */
export function finishMarker(draft: TransitionBuilder, task: TaskState): void {
  finishTask(draft, draft.move(task, { startedAt: draft.now, attempt: 1 }, "becomeReady", "start"), { status: "succeeded" });
}

/** In a trial it ends as it would have, when it starts, without doing anything. */
function finishPinned(draft: TransitionBuilder, task: TaskState, { status, results, decision: decisionValue }: Pin): void {
  const end = {
    status,
    reason: "Pinned",
    message: "It did not run in this trial",
    results,
    ...(decisionValue !== undefined && { decisionValue }),
  };
  if (status === "skipped") return finishTask(draft, task, end);
  const patch = { startedAt: draft.now, attempt: 1 };
  finishTask(draft, draft.move(task, patch, "becomeReady", "start"), end);
}

/** The event that starts it: the first time, or again after a retry. */
function turnOf({ status }: TaskState): "becomeReady" | "wake" {
  return status === "notstarted" ? "becomeReady" : "wake";
}

/**
 * Warnings about times that a limit of the run cuts. An attempt on an executor gets the shorter of the node's timeout and the instance's.
 */
function cutWarnings(
  { run, plan }: TransitionBuilder,
  { node, type, timeoutMinutes }: TaskState,
  params: readonly NamedValue[],
): Warning[] {
  const timeout = plan.nodes[node]?.timeoutMinutes ?? null;
  // Only tasks of the engine have parameters that say how long they wait.
  if (!timeout && isExecutorType(type)) return [];
  const limits = {
    maxTaskTimeoutMinutes: timeoutMinutes ?? Number.POSITIVE_INFINITY,
    maxActiveMinutes: run.maxActiveMinutes ?? Number.POSITIVE_INFINITY,
  };
  const found = cutTimes({ type, timeout, params }, run.timeoutMinutes, limits);
  return found.map(({ name, message }) => ({ code: "CUT_BY_LIMIT", reference: name, why: message }));
}

/** Ends the task run if its parameters refer to something that does not exist, or that is too large to be read. */
export function unlessUnreadable<T>(draft: TransitionBuilder, task: TaskState, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OversizedValues || error instanceof UnresolvedReference)) throw error;
    const status = error instanceof UnresolvedReference ? "failed" : "invalid";
    // The state machine lets only a started task run fail, so it is moved through these events first.
    const events = task.status === "notstarted" ? (["becomeReady", "start"] as const) : [];
    finishTask(draft, draft.move(task, { startedAt: draft.now }, ...events), { status, reason: error.reason, message: error.message });
    return undefined;
  }
}

const clearedWait = { waitKind: null, waitKey: null, waitDetail: null } as const;

/** From here on, a worker that has what the task run needs may claim it. Its deadline starts with the claim. */
function dispatch(draft: TransitionBuilder, task: TaskState): void {
  const node = draft.node(task.node);
  const placement = unlessUnreadable(draft, task, () => placeTask(node, draft.run.defaultImage !== null, () => stepsShown(node, task)));
  if (placement === undefined) return;
  const { need, refusal } = placement;
  if (refusal) return finishTask(draft, draft.update(task, { startedAt: draft.now }), { status: "invalid", ...refusal });
  const isHeldBack = draft.run.activity !== "active";
  draft.update(task, isHeldBack ? held(need) : { executor: need });
}

function held(need: RunNeed): TaskPatch {
  return {
    executor: null,
    waitKind: heldForPlace,
    waitKey: need,
    waitDetail: "Waiting for a place in the quota maxConcurrentRuns of the team",
  };
}

/** Its run has a place in the quota now, so a worker may claim it. */
export function releaseHeld(draft: TransitionBuilder, task: TaskState): void {
  draft.update(task, { ...clearedWait, executor: task.waitKey as RunNeed });
}

/** The steps as far as they are known here: secrets are masked, and only the executor knows paths. */
function stepsShown({ task: definition }: PlanNode, { params }: TaskState): readonly JobStep[] {
  const task = Object.fromEntries((params ?? []).map(({ name, value }) => [name, value]));
  return definition ? resolveImages(definition, { task, extra: () => ({ found: false }) }) : [];
}

/** One of the engine's own tasks: it runs inside the transaction that made it ready. */
function startHere(draft: TransitionBuilder, task: TaskState): void {
  const type = draft.types.get(task.type);
  if (!type)
    return finishTask(draft, task, { status: "invalid", reason: "UnknownType", message: `Task type ${task.type} is unknown here` });
  const deadlineAt = task.timeoutMinutes ? draft.now + task.timeoutMinutes * 60_000 : null;
  const patch = { startedAt: draft.now, attempt: task.attempt + 1, deadlineAt, dueAt: deadlineAt };
  const started = draft.move(task, patch, "start");
  applyOutcome(draft, started, type.start(typeContext(draft, started)));
}

/** What a task type can read of its task run. */
export function typeContext(draft: TransitionBuilder, task: TaskState): TypeContext {
  const params = new Map((task.params ?? []).map((param) => [param.name, param.value]));
  return { node: draft.node(task.node), task, params, now: draft.now, ask: draft.ask(task) };
}

/** Applies an outcome to the draft. */
export function applyOutcome(draft: TransitionBuilder, task: TaskState, outcome: Outcome): void {
  if (outcome.kind === "finished") finish(draft, task, outcome);
  else wait(draft, task, outcome);
}

function finish(draft: TransitionBuilder, task: TaskState, outcome: Finished): void {
  if (outcome.runResults && !draft.addRunResults(outcome.runResults)) {
    const message = `The results of a run can have ${maxResultsLength / 2 ** 20} MiB in total; keep large data in a workspace`;
    return endOrRetry(draft, task, { status: "failed", reason: "ResultTooLarge", message });
  }
  if (outcome.statusOverride) draft.run.statusOverride = outcome.statusOverride;
  draft.releasedLocks.push(...(outcome.releaseLocks ?? []));
  const { decisionValue } = outcome;
  const decided =
    decisionValue === undefined || task.item !== null
      ? task
      : draft.update(task, { warnings: withPatternWarnings(draft, task, decisionValue) });
  endOrRetry(draft, decided, outcome);
}

/**
 * The links are chosen later, when the tasks after the decision are considered, but which patterns can't be tried is already known here.
 */
function withPatternWarnings(draft: TransitionBuilder, { node, warnings = [] }: TaskState, value: string): Warning[] {
  try {
    const found = draft.edgesChosenBy(draft.node(node), value).warnings;
    return [...warnings, ...found.map((warning): Warning => ({ ...warning, reference: "value" }))];
  } catch (error) {
    // The tasks after it end as invalid, with this reason.
    if (error instanceof CostlyPatterns) return warnings;
    throw error;
  }
}

function wait(draft: TransitionBuilder, task: TaskState, outcome: Waiting): void {
  const pollAt = outcome.pollInMs === undefined ? null : draft.now + outcome.pollInMs;
  const deadlineAt = earliest(outcome.deadlineInMs === undefined ? null : draft.now + outcome.deadlineInMs, task.deadlineAt);
  const { kind: waitKind, key: waitKey = null, detail: waitDetail } = outcome.wait;
  draft.move(task, { waitKind, waitKey, waitDetail, deadlineAt, dueAt: earliest(pollAt, deadlineAt) }, "wait");
  if (outcome.openAction) draft.actions.push({ ...outcome.openAction, deadlineAt: earliest(deadlineAt, endOfTurn(draft)) });
}

function endOfTurn({ plan, run }: TransitionBuilder): number | null {
  return (plan.handlers ? handlerDeadline(plan, run) : null) ?? wallDeadline(run);
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.min(one, other);
}

/** Resolves the inputs of a node while a run advances: masked, as they are stored and shown. */

/** @throws OversizedParameters, OversizedResults */
function resolveNode(draft: TransitionBuilder, node: PlanNode, task: TaskState): { params: NamedValue[]; warnings: Warning[] } {
  const own = { taskRunId: task.id, name: task.name, ...ownOf(draft, task) };
  const { params, warnings, isOverfull } = resolveNodeParams(draftScope(draft, node), node, own);
  if (isOverfull) throw new OversizedParameters(`The parameters of this task`, maxNodeParamsLength);
  draft.takeParamsLength(params);
  return { params, warnings };
}

export function resolveItems(draft: TransitionBuilder, node: PlanNode, task: TaskState): { items: unknown; warnings: Warning[] } {
  return resolveItemList(draftScope(draft, node), node, { taskRunId: task.id, name: task.name });
}

/** The value that the condition of a loop checks, between two rounds. @throws UnresolvedReference, OversizedResults */
export function resolveCondition(draft: TransitionBuilder, task: TaskState): string {
  const node = draft.node(task.node);
  const own = { taskRunId: task.id, name: task.name, loop: draft.loopOf(task.node, draft.items(task.node).length) };
  const { value, warnings } = resolveValue(node.loop?.value, "string", parameterScope(draftScope(draft, node), node, own));
  withoutUnresolved(node, warnings);
  return String(value);
}

function ownOf(draft: TransitionBuilder, task: TaskState): Pick<OwnScope, "item" | "loop"> {
  if (task.item !== null && draft.node(task.node).loop) return { loop: draft.loopOf(task.node, task.item) };
  const item = itemOf(draft, task);
  return item ? { item } : {};
}

/** The value of an item was resolved when its node was expanded; the node's own task run has it in its parameters. */
function itemOf(draft: TransitionBuilder, task: TaskState): OwnScope["item"] {
  if (task.item === null) return undefined;
  const items = draft.task(task.node).params?.find((param) => param.name === "items")?.value as unknown[] | undefined;
  return { value: items?.[task.item] ?? null, index: task.item };
}

function endOf(draft: TransitionBuilder, index: number): Status | undefined {
  const { status } = draft.task(index);
  return isFinal(status) ? status : undefined;
}

function draftScope(draft: TransitionBuilder, node: PlanNode): NodeScope {
  const results = draft.resultsReferredBy(node);
  return { plan: draft.plan, layers: draft.run.layers, resultsOf: (index) => results.get(index), endOf: (index) => endOf(draft, index) };
}

import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { nodePlacing } from "../../core/workflow/node-placing.ts";
import { nodeAt, type Plan } from "../../core/workflow/plan.ts";

/** Task runs in the form that the functions of the database take (store/functions/apply-run-changes.sql). */

/** @param atOnce ids of task runs that are for the worker whose report makes them ready (core/worker/tasks-at-once.ts) */
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
    given_back: task.givenBack,
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

import { isFinal } from "@millrace/contract/status.ts";
import { timeOfId } from "../../base/text/uuid.ts";
import type { TraceContext } from "../../base/trace/trace-context.ts";
import type { Tracing } from "../../base/trace/tracing.ts";
import type { AttemptRecord, RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { attemptSpan, type RunTrace, spanOf, traceOfRun } from "../../core/run/run-trace.ts";

/**
 * Runs as traces: the run, within it each task run, and within that its wait for a worker and each attempt. A span is recorded when it
 * ends, by the process that recorded the end. The span of a child run is below the task run that started it. A step gets the span of its
 * attempt as TRACEPARENT, so that its own spans are below that.
 */

/** Records the spans that end with the change. */
export function traceChange(tracing: Tracing, { before, after, updated, created, attempts }: RunChange): void {
  const trace = traceOfRun(after, tracing.isSampled);
  if (!trace.isSampled) return;
  const ended = updated.filter((task) => !isFinal(task.before.status) && isFinal(task.after.status)).map((task) => task.after);
  for (const task of [...ended, ...created.filter(({ status }) => isFinal(status))]) recordTask(tracing, trace, after, task);
  for (const attempt of attempts) {
    const task = updated.find((one) => one.after.id === attempt.taskRunId);
    if (task) recordAttempt(tracing, trace, attempt, task);
  }
  if (!isFinal(before.status) && isFinal(after.status)) recordRun(tracing, trace, after);
}

/** The same for a run that was just submitted. @param ended its task runs that have ended */
export function traceSubmitted(tracing: Tracing, run: RunState, ended: readonly TaskState[]): void {
  const trace = traceOfRun(run, tracing.isSampled);
  if (!trace.isSampled) return;
  for (const task of ended) recordTask(tracing, trace, run, task);
  if (isFinal(run.status)) recordRun(tracing, trace, run);
}

function recordRun(tracing: Tracing, trace: RunTrace, run: RunState): void {
  const names = run.layers.context ?? {};
  const workflow = String(names["workflow-name"] ?? run.workflowId);
  const createdMs = timeOfId(run.id);
  const endMs = run.endedAt ?? createdMs;
  const own = spanOf(trace, run.id);
  const attributes = {
    "millrace.run.id": run.id,
    "millrace.run.status": run.status,
    "millrace.run.trigger": run.trigger,
    "millrace.workflow.id": run.workflowId,
    "millrace.workflow.name": workflow,
    "millrace.team.id": run.teamId,
  };
  const shared = { kind: "internal", attributes } as const;
  tracing.record({
    ...{ ...shared, context: own, parent: trace.caller, name: `run ${workflow}`, startMs: createdMs, endMs },
    ...(run.status !== "succeeded" && { error: run.statusMessage ?? run.status }),
  });
  const begunMs = run.startedAt ?? endMs;
  if (begunMs > createdMs)
    tracing.record({
      ...shared,
      context: spanOf(trace, run.id, "queue"),
      parent: own,
      name: "wait in the queue",
      startMs: createdMs,
      endMs: begunMs,
    });
}

function recordTask(tracing: Tracing, trace: RunTrace, run: RunState, task: TaskState): void {
  const { startedAt, readyAt, endedAt, status } = task;
  const startMs = readyAt ?? startedAt;
  // It was never started.
  if (startMs === null || endedAt === null) return;
  tracing.record({
    context: spanOf(trace, task.id),
    parent: spanOf(trace, run.id),
    name: `task ${task.name}`,
    kind: "internal",
    startMs,
    endMs: endedAt,
    attributes: attributesOf(run.id, task),
    ...(status !== "succeeded" && status !== "skipped" && { error: task.statusMessage ?? status }),
  });
}

function recordAttempt(tracing: Tracing, trace: RunTrace, attempt: AttemptRecord, { before, after }: RunChange["updated"][number]): void {
  const { startedAt, status, statusMessage, executor, waits } = attempt;
  if (startedAt === null) return;
  const parent = spanOf(trace, attempt.taskRunId);
  const number = attempt.attempt;
  const attributes = { "millrace.task_run.id": attempt.taskRunId, "millrace.attempt": number, "millrace.executor": executor ?? "" };
  const span = (own: TraceContext, name: string, startMs: number, endMs: number, error?: string) =>
    tracing.record({ context: own, parent, name, kind: "internal", startMs, endMs, attributes, error });
  const queuedMs = waits?.queueMs ?? 0;
  if (queuedMs > 0) span(spanOf(trace, attempt.taskRunId, `queue ${number}`), "wait for a worker", startedAt - queuedMs, startedAt);
  const endMs = after.endedAt ?? after.readyAt ?? before.deadlineAt ?? Date.now();
  span(
    attemptSpan(trace, attempt.taskRunId, number),
    `attempt ${number}`,
    startedAt,
    endMs,
    status === "succeeded" ? undefined : (statusMessage ?? status),
  );
}

function attributesOf(runId: string, { id, type, name, status, reason }: TaskState) {
  return {
    "millrace.run.id": runId,
    "millrace.task_run.id": id,
    "millrace.task_run.name": name,
    "millrace.task_run.type": type,
    "millrace.task_run.status": status,
    ...(reason !== null && { "millrace.task_run.reason": reason }),
  };
}

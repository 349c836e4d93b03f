import { isFinal } from "@millrace/contract/status.ts";
import { attemptsEnded, queueSeconds, runSeconds, runsNeverStarted, runsStarted, taskRunSeconds } from "../../base/metrics/metrics.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { AttemptRecord, RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { timeOfId, traceOfRun } from "../../core/run/run-trace.ts";
import type { RunContext } from "./run-context.ts";
import { traceChange, traceSubmitted } from "./trace-runs.ts";
import { wakeForChanges, wakeForSubmitted } from "./wake-for-changes.ts";

/** Who is notified of changes of runs: the rest of the service, the log and the metrics. */
export interface ReportParts {
  bus: EventBus;
  context: Pick<RunContext, "log" | "tracing">;
}

/**
 * Publishes changes of runs after their commit. Each change is published once, by the process that wrote it.
 * @param claimed task runs that were claimed at once, so nobody needs to look for them
 */
export function reportChanges({ bus, context }: ReportParts, changes: readonly RunChange[], claimed: readonly { id: string }[] = []): void {
  for (const change of changes) {
    if (!hasBegun(change.before) && hasBegun(change.after)) noteStart(context, change.after);
    for (const { before, after } of change.updated) if (!isFinal(before.status) && isFinal(after.status)) countTaskRun(after);
    for (const task of change.created) if (isFinal(task.status)) countTaskRun(task);
    for (const attempt of change.attempts) noteAttempt(context, change.after, attempt);
    if (!isFinal(change.before.status) && isFinal(change.after.status)) noteEnd(context, change.after);
    if (context.tracing) traceChange(context.tracing, change);
  }
  wakeForChanges(bus, changes, claimed);
}

/** Publishes a new run, after the commit. */
export function reportSubmitted({ bus, context }: ReportParts, run: RunState): void {
  if (hasBegun(run)) noteStart(context, run);
  const madeAt = timeOfId(run.id);
  const ended = run.nodes.filter((task) => isFinal(task.status) && isOfRun(madeAt, task));
  for (const task of ended) countTaskRun(task);
  if (isFinal(run.status)) noteEnd(context, run);
  if (context.tracing) traceSubmitted(context.tracing, run, ended);
  wakeForSubmitted(bus, run);
}

/**
 * The engine's own tasks may finish in the transaction that submits the run. A rerun also has the task runs that it reuses, which ended
 * long before. The tolerance of one second is for ids, which are a little older than the time of their transaction.
 */
function isOfRun(madeAt: number, { endedAt }: TaskState): boolean {
  return endedAt !== null && endedAt > madeAt - 1000;
}

function hasBegun({ startedAt }: Pick<RunState, "startedAt">): boolean {
  return startedAt !== null;
}

function noteStart(context: ReportParts["context"], run: RunState): void {
  runsStarted.inc({ trigger: run.trigger });
  context.log?.info({ ...idsOf(context, run), trigger: run.trigger }, "run started");
}

function noteEnd(context: ReportParts["context"], run: RunState): void {
  const { status, reason, startedAt, endedAt } = run;
  const ms = startedAt === null || endedAt === null ? undefined : Math.max(0, endedAt - startedAt);
  if (ms === undefined) runsNeverStarted.inc({ status });
  else runSeconds.observe({ status }, ms / 1000);
  context.log?.info({ ...idsOf(context, run), status, ...(reason !== null && { reason }), ...(ms !== undefined && { ms }) }, "run ended");
}

function countTaskRun({ type, status, startedAt, endedAt }: TaskState): void {
  const ms = startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt);
  taskRunSeconds.observe({ type, status }, ms / 1000);
}

function noteAttempt(
  context: ReportParts["context"],
  run: RunState,
  { taskRunId, attempt, status, reason, executor, waits }: AttemptRecord,
): void {
  const kind = executor ?? "none";
  attemptsEnded.inc({ executor: kind, status });
  if (waits?.queueMs !== undefined) queueSeconds.observe({ executor: kind }, waits.queueMs / 1000);
  if (status === "succeeded") return;
  const fields = { ...idsOf(context, run), taskRunId, attempt, status, ...(reason !== null && { reason }) };
  if (status === "lost") context.log?.warn(fields, "attempt lost");
  else context.log?.info(fields, "attempt ended");
}

function idsOf({ tracing }: ReportParts["context"], run: RunState) {
  const isTraced = tracing !== undefined || run.traceparent !== null;
  const traceId = isTraced ? traceOfRun(run, () => true).traceId : undefined;
  return { runId: run.id, teamId: run.teamId, workflowId: run.workflowId, ...(traceId !== undefined && { traceId }) };
}

import { isFinal } from "@millrace/contract/status.ts";
import { attemptsEnded, queueSeconds, runSeconds, runsNeverStarted, runsStarted, taskRunSeconds } from "../../base/metrics/metrics.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { AttemptRecord, RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import type { RunContext } from "./run-context.ts";
import { wakeForChanges, wakeForSubmitted } from "./wake-for-changes.ts";

/** Who hears of what happened to runs: the rest of the service, the log and the metrics. */
export interface ReportParts {
  bus: EventBus;
  context: Pick<RunContext, "log">;
}

/**
 * After their commit, tells of changes of runs. Each change comes here once, in the process that wrote it.
 * @param claimed task runs that were claimed at once: nobody needs to look for them
 */
export function reportChanges({ bus, context }: ReportParts, changes: readonly RunChange[], claimed: readonly { id: string }[] = []): void {
  for (const change of changes) {
    if (!hasBegun(change.before) && hasBegun(change.after)) noteStart(context, change.after);
    for (const { before, after } of change.updated) if (!isFinal(before.status) && isFinal(after.status)) countTaskRun(after);
    for (const task of change.created) if (isFinal(task.status)) countTaskRun(task);
    for (const attempt of change.attempts) noteAttempt(context, change.after, attempt);
    if (!isFinal(change.before.status) && isFinal(change.after.status)) noteEnd(context, change.after);
  }
  wakeForChanges(bus, changes, claimed);
}

/** After the commit, tells that there is a new run. */
export function reportSubmitted({ bus, context }: ReportParts, run: RunState): void {
  if (hasBegun(run)) noteStart(context, run);
  if (isFinal(run.status)) {
    for (const task of run.nodes) if (isFinal(task.status)) countTaskRun(task);
    noteEnd(context, run);
  }
  wakeForSubmitted(bus, run);
}

function hasBegun({ startedAt }: Pick<RunState, "startedAt">): boolean {
  return startedAt !== null;
}

function noteStart({ log }: ReportParts["context"], run: RunState): void {
  runsStarted.inc({ trigger: run.trigger });
  log?.info({ ...idsOf(run), trigger: run.trigger }, "run started");
}

function noteEnd({ log }: ReportParts["context"], run: RunState): void {
  const { status, reason, startedAt, endedAt } = run;
  const ms = startedAt === null || endedAt === null ? undefined : Math.max(0, endedAt - startedAt);
  if (ms === undefined) runsNeverStarted.inc({ status });
  else runSeconds.observe({ status }, ms / 1000);
  log?.info({ ...idsOf(run), status, ...(reason !== null && { reason }), ...(ms !== undefined && { ms }) }, "run ended");
}

function countTaskRun({ type, status, startedAt, endedAt }: TaskState): void {
  const ms = startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt);
  taskRunSeconds.observe({ type, status }, ms / 1000);
}

function noteAttempt(
  { log }: ReportParts["context"],
  run: RunState,
  { taskRunId, attempt, status, reason, executor, waits }: AttemptRecord,
): void {
  const kind = executor ?? "none";
  attemptsEnded.inc({ executor: kind, status });
  if (waits?.queueMs !== undefined) queueSeconds.observe({ executor: kind }, waits.queueMs / 1000);
  if (status === "succeeded") return;
  const fields = { ...idsOf(run), taskRunId, attempt, status, ...(reason !== null && { reason }) };
  if (status === "lost") log?.warn(fields, "attempt lost");
  else log?.info(fields, "attempt ended");
}

function idsOf({ id, teamId, workflowId }: RunState) {
  return { runId: id, teamId, workflowId };
}

// Whom a process notifies of changes of runs, after their commit: the log, the metrics and traces, and what waits on the event bus.
import { isFinal } from "@millrace/contract/status.ts";
import { attemptsEnded, queueSeconds, runSeconds, runsNeverStarted, runsStarted, taskRunSeconds } from "../../base/metrics/metrics.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import { timeOfId } from "../../base/text/uuid.ts";
import type { AttemptRecord, RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { traceOfRun } from "../../core/run/run-trace.ts";
import { externalTaskOf } from "../../core/task/external-task.ts";
import type { RunContext } from "./run-context.ts";
import { traceChange, traceSubmitted } from "./trace-runs.ts";

/** Who is notified of changes of runs: the rest of the service, the log and the metrics. */
export interface ReportParts {
  bus: EventBus;
  context: Pick<RunContext, "log" | "tracing">;
}

/** Of a process that serves requests. */
interface Publisher {
  runs: RunContext;
  bus: EventBus;
}

/** Called after the commit of a request that changed runs: passes their states to an engine in this process, and notifies all processes. */
export function publishChanges({ runs, bus }: Publisher, changes: readonly RunChange[]): void {
  for (const { after } of changes) runs.states.put(after);
  reportChanges({ bus, context: runs }, changes);
}

/** The same for a new run. */
export function publishSubmitted({ runs, bus }: Publisher, run: RunState & { row: object }): void {
  // Only what goes on is kept, and so has to be copied without its row.
  runs.states.put(run.phase === "running" ? withoutRow(run) : run);
  reportSubmitted({ bus, context: runs }, run);
}

function withoutRow({ row: _, ...state }: RunState & { row: object }): RunState {
  return state;
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

/**
 * Channels of the event bus. `engine`: runs that are queued, signalled or due sooner than was known. `tasks`: something to claim.
 * `attempts`: attempts (by task run id) that are over for their worker. `runs`: runs (by id) whose state changed. `ended`: runs (by id)
 * that have ended. `schedules`: one that may fire sooner than was known. `events`: someone began to want changes. `deliveries`: something
 * was queued to be sent. `teams`: what someone wrote in a team, as `TEAM-ID KIND`, or in the instance, as `instance KIND`. `workers`: one
 * has come or gone. `delivered`: whose deliveries changed, those of the subscriptions of a team (by its id) or of the instance's own
 * (`instance`). `external`: teams (by id) that have something to claim for external workers. `bulk`: an action on many runs was requested.
 */
export const channels = {
  engine: "engine",
  tasks: "tasks",
  attempts: "attempts",
  runs: "runs",
  ended: "ended",
  logs: "logs",
  schedules: "schedules",
  events: "events",
  deliveries: "deliveries",
  teams: "teams",
  workers: "workers",
  delivered: "delivered",
  external: "external",
  bulk: "bulk",
} as const;

/** The name of a scope on the channels `teams` and `delivered`. @param teamId null: in no team */
export function placeOf(teamId: string | null): string {
  return teamId ?? "instance";
}

/**
 * Notifies everything that may be interested in changes of runs, after their commit. These are hints only.
 * @param claimed task runs that were claimed at once, so nobody needs to look for them
 */
function wakeForChanges(bus: EventBus, changes: readonly RunChange[], claimed: readonly { id: string }[] = []): void {
  const isClaimed = new Set(claimed.map(({ id }) => id));
  for (const change of changes) {
    if (change.updated.length === 0 && change.created.length === 0 && change.before.status === change.after.status) continue;
    bus.wake(channels.runs, change.after.id);
    if (isFinal(change.after.status) && !isFinal(change.before.status)) bus.wake(channels.ended, change.after.id);
    if (needsEngine(change)) bus.wake(channels.engine);
    const ready = [...change.updated.map(({ after }) => after), ...change.created].filter(({ status }) => status === "ready");
    wakeForReady(
      bus,
      change.after.teamId,
      ready.filter(({ id }) => !isClaimed.has(id)),
    );
    for (const { before, after } of change.updated) {
      if (before.workerId !== null && isFinal(after.status)) bus.wake(channels.attempts, after.id);
    }
  }
}

function needsEngine({ signals, releasedLocks, updated, created, before, after, hasMore }: RunChange): boolean {
  if (hasMore || signals.length > 0 || releasedLocks.length > 0 || (isFinal(after.status) && !isFinal(before.status))) return true;
  if (after.activity === "wanted" || (before.activity === "active" && after.activity === "none")) return true;
  // A submitted child waits for the engine to start it.
  return [...updated.map((one) => one.after), ...created].some((task) => task.dueAt !== null || task.type === "runworkflow");
}

/** External workers only look for external tasks, and the others never do. */
function wakeForReady(bus: EventBus, teamId: string, ready: readonly TaskState[]): void {
  if (ready.some(({ executor }) => isExternalNeed(executor))) bus.wake(channels.external, teamId);
  if (ready.some(({ executor }) => !isExternalNeed(executor))) bus.wake(channels.tasks);
}

function isExternalNeed(executor: string | null): boolean {
  return externalTaskOf(executor) !== undefined;
}

/** Notifies of a new run, after the commit. */
export function wakeForSubmitted(bus: EventBus, run: RunState): void {
  bus.wake(channels.runs, run.id);
  if (isFinal(run.status)) return;
  bus.wake(channels.engine);
  wakeForReady(
    bus,
    run.teamId,
    run.nodes.filter(({ status }) => status === "ready"),
  );
}

import { isFinal } from "@millrace/contract/status.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { RunState, TaskState } from "../../core/run/run-state.ts";
import { externalTaskOf } from "../../core/task/external-task.ts";

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
export function wakeForChanges(bus: EventBus, changes: readonly RunChange[], claimed: readonly { id: string }[] = []): void {
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

/**
 * Whether a run takes one of the slots of its team (quota maxConcurrentRuns).
 *
 * A run is `active` while one of its tasks runs or is ready for a worker. One that only waits (for people, events, time, locks, other runs)
 * takes no slot, however long it waits, and that time does not count towards the team's maxWorkflowRunDuration. When a task of it becomes
 * ready again the run is `wanted`: the task is delayed, and the engine gives such runs the next free slots, ahead of runs that have not
 * begun. The engine's own tasks run inside the transaction that makes them ready, so they need no slot.
 *
 * Only the engine assigns places, under the lock of the team (function claim_active_runs of the schema). A run releases its place itself.
 */

export type RunActivity = "none" | "wanted" | "active";

/** Why a task run that is ready is delayed; its wait key says what it needs once its run has a slot. */
export const heldForPlace = "quota";

const minuteMs = 60_000;

/** How long a run has been active: `activeMs` plus the time since `activeSince`. Times are epoch milliseconds of the database. */
export interface ActiveTime {
  activity: RunActivity;
  /** Null unless the run is active. */
  activeSince: number | null;
  /** Active time before `activeSince`. */
  activeMs: number;
}

export interface RunLimits {
  startedAt: number | null;
  /** Wall time, from the start of the run; null: no limit. */
  timeoutMinutes: number | null;
  /** Limit of active time, the quota of the team at submission; null: none. */
  maxActiveMinutes: number | null;
}

interface ActiveItems {
  isActive: boolean;
  hasHeld: boolean;
}

/** The activity of a running run, computed from its task runs. @param items of its forEach nodes, which keep their own counts */
export function activityOf(tasks: Iterable<PlacedTask & HeldTask>, items: Iterable<ActiveItems> = []): RunActivity {
  let isWanted = false;
  for (const list of items) {
    if (list.isActive) return "active";
    isWanted ||= list.hasHeld;
  }
  for (const task of tasks) {
    if (needsPlace(task)) return "active";
    isWanted ||= isHeld(task);
  }
  return isWanted ? "wanted" : "none";
}

interface PlacedTask {
  status: string;
  executor: unknown;
}

/** The task run is at a worker, or waits for one. */
export function needsPlace({ status, executor }: PlacedTask): boolean {
  return status === "running" || (status === "ready" && executor !== null);
}

interface HeldTask {
  status: string;
  waitKind: string | null;
}

export function isHeld(task: HeldTask): boolean {
  return task.status === "ready" && task.waitKind === heldForPlace;
}

/** Updates a run's clock of active time for a new activity. @param now epoch milliseconds */
export function withActivity(before: ActiveTime, activity: RunActivity, now: number): ActiveTime {
  const since = before.activity === "active" ? (before.activeSince ?? now) : null;
  if (activity === "active") return { activity, activeSince: since ?? now, activeMs: before.activeMs };
  return { activity, activeSince: null, activeMs: before.activeMs + (since === null ? 0 : Math.max(0, now - since)) };
}

/** When the run's own timeout ends it, in epoch milliseconds: wall time, from its start. Null: never. */
export function wallDeadline({ startedAt, timeoutMinutes }: Pick<RunLimits, "startedAt" | "timeoutMinutes">): number | null {
  return startedAt === null || !timeoutMinutes ? null : startedAt + timeoutMinutes * minuteMs;
}

/**
 * When the limit of active time ends the run, in epoch milliseconds, if it stays active until then. Null: no such time in its current
 * state.
 */
export function activeDeadline({
  activity,
  activeSince,
  activeMs,
  maxActiveMinutes,
}: ActiveTime & Pick<RunLimits, "maxActiveMinutes">): number | null {
  if (activity !== "active" || activeSince === null || maxActiveMinutes === null) return null;
  return activeSince + maxActiveMinutes * minuteMs - activeMs;
}

/** When the engine must check the run itself. */
export function nextDeadline(run: ActiveTime & RunLimits): number | null {
  const deadlines = [wallDeadline(run), activeDeadline(run)].filter((deadline) => deadline !== null);
  return deadlines.length === 0 ? null : Math.min(...deadlines);
}

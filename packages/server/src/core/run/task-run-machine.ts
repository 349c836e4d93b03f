import type { FinalStatus } from "@millrace/contract/status.ts";
import { followTable, type StateName, type StateTable } from "./state-machine.ts";

/**
 * The life of a task run. A state is a legal pair `status/phase`; docs/state-machines.md shows this table and says who may
 * cause which event. A task run is examined once all its dependencies are over: it becomes ready or is skipped. What an
 * executor does is claimed by a worker and started; the engine's own tasks start at once. It waits for a person, an event, a
 * time, a lock, a child run, its items, or its next attempt; from there it is woken (to be tried again) or ends. An attempt
 * whose worker is lost goes back to ready. Over is over: no event leaves a completed state, which is what makes a message that
 * comes twice or too late harmless.
 */
export const taskRunStates = [
  "notstarted/pending",
  "ready/pending",
  "ready/queued",
  "running/running",
  "waiting/running",
  "succeeded/completed",
  "failed/completed",
  "invalid/completed",
  "skipped/completed",
  "cancelled/completed",
  "timedout/completed",
] as const satisfies readonly StateName[];
export type TaskRunStateName = (typeof taskRunStates)[number];

export const taskRunEvents = [
  "becomeReady",
  "skip",
  "claim",
  "start",
  "wait",
  "wake",
  "retryLater",
  "lose",
  "succeed",
  "fail",
  "invalidate",
  "timeOut",
  "cancel",
] as const;
export type TaskRunEventName = (typeof taskRunEvents)[number];

export type TaskRunMachine = StateTable<TaskRunStateName, TaskRunEventName>;

const refused = {
  becomeReady: "refused",
  skip: "refused",
  claim: "refused",
  start: "refused",
  wait: "refused",
  wake: "refused",
  retryLater: "refused",
  lose: "refused",
  succeed: "refused",
  fail: "refused",
  invalidate: "refused",
  timeOut: "refused",
  cancel: "refused",
} as const satisfies Record<TaskRunEventName, "refused">;

/** What may happen to every task run that has started and not ended. */
const begun = {
  ...refused,
  retryLater: "waiting/running",
  succeed: "succeeded/completed",
  fail: "failed/completed",
  invalidate: "invalid/completed",
  timeOut: "timedout/completed",
  cancel: "cancelled/completed",
} as const;

export const taskRunMachine: TaskRunMachine = {
  "notstarted/pending": {
    ...refused,
    becomeReady: "ready/pending",
    skip: "skipped/completed",
    invalidate: "invalid/completed",
    cancel: "skipped/completed",
  },
  "ready/pending": {
    ...refused,
    claim: "ready/queued",
    start: "running/running",
    invalidate: "invalid/completed",
    cancel: "cancelled/completed",
  },
  "ready/queued": {
    ...refused,
    start: "running/running",
    lose: "ready/pending",
    fail: "failed/completed",
    invalidate: "invalid/completed",
    cancel: "cancelled/completed",
  },
  "running/running": { ...begun, wait: "waiting/running", lose: "ready/pending" },
  "waiting/running": { ...begun, wait: "waiting/running", wake: "ready/pending" },
  "succeeded/completed": refused,
  "failed/completed": refused,
  "invalid/completed": refused,
  "skipped/completed": refused,
  "cancelled/completed": refused,
  "timedout/completed": refused,
};

/** The next state after an event. @throws if a task run in this state does not accept the event */
export const nextTaskRun = followTable("a task run", taskRunMachine);

/** The event that ends a task run with this status. */
export const taskRunEndings = {
  succeeded: "succeed",
  failed: "fail",
  invalid: "invalidate",
  skipped: "skip",
  cancelled: "cancel",
  timedout: "timeOut",
} as const satisfies Record<FinalStatus, TaskRunEventName>;

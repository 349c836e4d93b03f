import type { FinalStatus } from "@millrace/contract/status.ts";
import { followTable, type StateName, type StateTable } from "./state-machine.ts";

/**
 * The life of a run. A state is a legal pair `status/phase`; docs/state-machines.md shows this table and says who may cause which event. A
 * run waits in the queue (`ready/pending`), may be claimed by a worker that prepares it (`ready/queued`), runs until no task can change any
 * more, and ends. A run that waits for people is still `running/running`: its tasks wait. Retry and rerun create a new run and do not
 * change this one, so they lead from a state to itself.
 */
export const runStates = [
  "notstarted/pending",
  "ready/pending",
  "ready/queued",
  "running/running",
  "succeeded/completed",
  "failed/completed",
  "invalid/completed",
  "cancelled/completed",
  "timedout/completed",
  "succeeded/finalized",
  "failed/finalized",
  "invalid/finalized",
  "cancelled/finalized",
  "timedout/finalized",
] as const satisfies readonly StateName[];
export type RunStateName = (typeof runStates)[number];

export const runEvents = [
  "accept",
  "claim",
  "release",
  "start",
  "succeed",
  "fail",
  "invalidate",
  "cancel",
  "timeOut",
  "finalize",
  "retry",
] as const;
export type RunEventName = (typeof runEvents)[number];

export type RunMachine = StateTable<RunStateName, RunEventName>;

const refused = {
  accept: "refused",
  claim: "refused",
  release: "refused",
  start: "refused",
  succeed: "refused",
  fail: "refused",
  invalidate: "refused",
  cancel: "refused",
  timeOut: "refused",
  finalize: "refused",
  retry: "refused",
} as const satisfies Record<RunEventName, "refused">;

/** What may happen to every run that has not started. */
const unbegun = { ...refused, start: "running/running", invalidate: "invalid/completed", cancel: "cancelled/completed" } as const;

export const runMachine: RunMachine = {
  "notstarted/pending": { ...unbegun, accept: "ready/pending" },
  "ready/pending": { ...unbegun, claim: "ready/queued" },
  "ready/queued": { ...unbegun, release: "ready/pending" },
  "running/running": {
    ...refused,
    succeed: "succeeded/completed",
    fail: "failed/completed",
    invalidate: "invalid/completed",
    cancel: "cancelled/completed",
    timeOut: "timedout/completed",
  },
  "succeeded/completed": { ...refused, finalize: "succeeded/finalized", retry: "succeeded/completed" },
  "failed/completed": { ...refused, finalize: "failed/finalized", retry: "failed/completed" },
  "invalid/completed": { ...refused, finalize: "invalid/finalized", retry: "invalid/completed" },
  "cancelled/completed": { ...refused, finalize: "cancelled/finalized", retry: "cancelled/completed" },
  "timedout/completed": { ...refused, finalize: "timedout/finalized", retry: "timedout/completed" },
  "succeeded/finalized": { ...refused, retry: "succeeded/finalized" },
  "failed/finalized": { ...refused, retry: "failed/finalized" },
  "invalid/finalized": { ...refused, retry: "invalid/finalized" },
  "cancelled/finalized": { ...refused, retry: "cancelled/finalized" },
  "timedout/finalized": { ...refused, retry: "timedout/finalized" },
};

/** The next state after an event. @throws if a run in this state does not accept the event */
export const nextRun = followTable("a run", runMachine);

/** The event that ends a run with this status. */
export const runEndings = {
  succeeded: "succeed",
  failed: "fail",
  invalid: "invalidate",
  cancelled: "cancel",
  timedout: "timeOut",
} as const satisfies Partial<Record<FinalStatus, RunEventName>>;

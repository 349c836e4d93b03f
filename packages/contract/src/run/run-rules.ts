import type { Phase, Status } from "../status.ts";

/**
 * What may be done with a run in its current state: one table both for buttons and for the server, which compares it with its state
 * machine. Whether a user may do it depends on permissions, which this table does not cover.
 */
export interface RunInState {
  status: Status;
  phase: Phase;
}

/** Minutes for each kind of handlers, unless the workflow sets another limit. */
export const defaultHandlerTimeout = 60;

export const runCan = {
  /** Start now, instead of waiting in the queue. */
  start: ({ phase }: RunInState): boolean => phase === "pending" || phase === "queued",
  cancel: (run: RunInState): boolean => !isRunOver(run),
  /** Run again from the beginning, as a new run. */
  retry: isRunOver,
  /** Run again as a new run that reuses the tasks that succeeded. */
  rerunFailed: (run: RunInState): boolean => isRunOver(run) && run.status !== "succeeded",
  /** Free its storage; the run can't change any more afterwards. */
  finalize: ({ phase }: RunInState): boolean => phase === "completed",
} satisfies Record<string, (run: RunInState) => boolean>;

/** True if no task of the run can change any more. */
export function isRunOver({ phase }: RunInState): boolean {
  return phase === "completed" || phase === "finalized";
}

/** Of a forEach with more items than this, a summary of its run has only the most relevant. */
export const summaryItems = 12;

import type { Phase, Status } from "../status.ts";

/**
 * What may be done to a run in its state: one table for the buttons and for the server, which holds it against its state
 * machine. Who may do it is a matter of permissions, not of this table.
 */
export interface RunInState {
  status: Status;
  phase: Phase;
}

/** Minutes that each kind of handlers of a workflow has, unless it says otherwise. */
export const defaultHandlerTimeout = 60;

export const runCan = {
  /** Begin now, instead of waiting in the queue. */
  start: ({ phase }: RunInState): boolean => phase === "pending" || phase === "queued",
  cancel: (run: RunInState): boolean => !isRunOver(run),
  /** Run again from the beginning, as a new run. */
  retry: isRunOver,
  /** Run again as a new run that takes over what succeeded. */
  rerunFailed: (run: RunInState): boolean => isRunOver(run) && run.status !== "succeeded",
  /** Free its storage; nothing changes any more afterwards. */
  finalize: ({ phase }: RunInState): boolean => phase === "completed",
} satisfies Record<string, (run: RunInState) => boolean>;

/** True when no task of the run will move any more. */
export function isRunOver({ phase }: RunInState): boolean {
  return phase === "completed" || phase === "finalized";
}

/** Of a forEach with more items than this, a summary of its run has only the most relevant. */
export const summaryItems = 12;

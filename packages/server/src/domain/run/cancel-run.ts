import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { Transaction } from "../../store/database/database.ts";
import { advanceRuns } from "./advance-runs.ts";
import type { RunContext } from "./run-context.ts";

export interface CancelInput {
  teamId: string;
  runId: string;
  /** Name of who asks: people read it in the status message. */
  by: string;
}

/**
 * Ends a run with its open task runs and actions, now. Its processes are told right after the commit; child runs get a signal.
 *
 * @throws WORKFLOWRUN_INVALID_REFERENCE, or WORKFLOWRUN_INVALID_PHASE when it is over already
 */
export async function cancelRun(tx: Transaction, context: RunContext, { teamId, runId, by }: CancelInput): Promise<RunChange> {
  const [change] = await advanceRuns(tx, context, [{ teamId, id: runId, events: [{ kind: "cancel", message: `Cancelled by ${by}` }] }]);
  if (!change) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
  if (isFinal(change.before.status))
    throw new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, `finished (${change.before.status})`, "queued or running"]);
  return change;
}

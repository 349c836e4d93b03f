import { isFinal } from "@millrace/contract/status.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { RunChange } from "../../core/run/run-change.ts";
import type { Queryable, Transaction } from "../../store/database/database.ts";
import { markFinalized, type RunRow } from "../../store/run/runs.ts";
import { advanceRuns } from "./advance-runs.ts";
import type { RunContext } from "./run-context.ts";

interface CancelInput {
  teamId: string;
  runId: string;
  /** The name of the canceller, shown in the status message. */
  by: string;
}

/**
 * Ends a run with its open task runs and actions at once. Its processes are stopped right after the commit; child runs get a signal.
 *
 * @throws WORKFLOWRUN_INVALID_REFERENCE, or WORKFLOWRUN_INVALID_PHASE if it has finished already
 */
export async function cancelRun(tx: Transaction, context: RunContext, { teamId, runId, by }: CancelInput): Promise<RunChange> {
  const [change] = await advanceRuns(tx, context, [{ teamId, id: runId, events: [{ kind: "cancel", message: `Cancelled by ${by}` }] }]);
  if (!change) throw new AppError("WORKFLOWRUN_INVALID_REFERENCE", [runId]);
  if (isFinal(change.before.status))
    throw new AppError("WORKFLOWRUN_INVALID_PHASE", [runId, `finished (${change.before.status})`, "queued or running"]);
  return change;
}

/**
 * Marks a finished run as finalized: nothing changes any more. The machines that have the folders of its workspace remove them about a
 * minute after its end.
 *
 * @throws WORKFLOWRUN_INVALID_PHASE if it has not finished yet, or was finalized before
 */
export async function finalizeRun(db: Queryable, teamId: string, run: RunRow): Promise<void> {
  if (await markFinalized(db, teamId, run.id)) return;
  throw new AppError("WORKFLOWRUN_INVALID_PHASE", [run.id, `${run.status} (phase ${run.phase})`, "finished, and not finalized yet"]);
}

/** @throws CONFLICT if there are runs that the deletion of their owner would cancel */
export function refuseOpenRuns(owner: string, open: number): void {
  if (open === 0) return;
  const runs = open === 1 ? "1 open run; cancel it first" : `${open} open runs; cancel them first`;
  throw new AppError("CONFLICT", [`${owner} has ${runs}, or delete without force=false, which cancels ${open === 1 ? "it" : "them"}`]);
}

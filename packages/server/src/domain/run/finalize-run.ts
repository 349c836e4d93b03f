import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { markFinalized, type RunRow } from "../../store/run/runs.ts";

/**
 * Marks a run that is over as finalized: nothing changes any more. The folders of its workspace are removed by the machines that have
 * them, a minute or so after its end.
 *
 * @throws WORKFLOWRUN_INVALID_PHASE when it is not over yet, or was finalized before
 */
export async function finalizeRun(db: Queryable, teamId: string, run: RunRow): Promise<void> {
  if (await markFinalized(db, teamId, run.id)) return;
  throw new AppError("WORKFLOWRUN_INVALID_PHASE", [run.id, `${run.status} (phase ${run.phase})`, "finished, and not finalized yet"]);
}

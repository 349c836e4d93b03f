import { AppError } from "../../base/error/app-error.ts";
import { missingHistory, refuseRemovedLog } from "../../domain/history/removed-history.ts";
import { allows, canSeeTeam } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findLogSource } from "../../store/run/task-runs.ts";
import { findTeamOfTaskRun, isId } from "../../store/team/directory.ts";
import type { Principal } from "../endpoint.ts";

export function mayReadLogs(principal: Principal | undefined, teamId: string): boolean {
  return principal !== undefined && allows(principal, "taskrun/read", teamId);
}

/**
 * The log that the caller may read. Somebody who can't see the team, or the workflow, is told that there is no such task run.
 * @throws TASKRUN_LOG_REMOVED
 */
export async function findLog(
  db: Queryable,
  taskRunId: string,
  principal: Principal,
): Promise<{ teamId: string; runId: string; taskRunId: string }> {
  const teamId = isId(taskRunId) ? await findTeamOfTaskRun(db, taskRunId) : undefined;
  const source = teamId !== undefined && canSeeTeam(principal, teamId) ? await findLogSource(db, teamId, taskRunId) : undefined;
  const isForeign = principal.workflowId !== undefined && source?.workflowId !== principal.workflowId;
  if (teamId === undefined || !source || isForeign) throw await missingHistory(db, "TASKRUN_INVALID_REFERENCE", taskRunId);
  if (!mayReadLogs(principal, teamId))
    throw new AppError("PERMISSION_DENIED", ["this needs the permission taskrun/read in the team of the run"]);
  await refuseRemovedLog(db, teamId, taskRunId);
  return { teamId, runId: source.runId, taskRunId: taskRunId.toLowerCase() };
}

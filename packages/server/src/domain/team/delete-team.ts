import type { Queryable } from "../../store/database/database.ts";
import { deleteTokensOfTeam } from "../../store/identity/tokens.ts";
import { deleteSubscriptionsOfTeam } from "../../store/outbound/subscriptions.ts";
import { signalOpenRuns } from "../../store/run/run-events.ts";
import { deleteSchedulesOfTeam } from "../../store/schedule/schedules.ts";
import { dropTeamFromGlobalParameters } from "../../store/team/global-parameters.ts";
import { hideTeam } from "../../store/team/teams.ts";
import { countOpenRuns, hideWorkflowsOfTeam } from "../../store/workflow/workflow-deletion.ts";
import { refuseOpenRuns } from "../run/cancel-run.ts";

/**
 * Hides the team with its workflows, kills its tokens, ends its schedules and subscriptions and has its runs cancelled, all in one
 * transaction; a submission that comes later finds no team. The engine is to be woken after the commit, and ends the processes of
 * the runs; rows are purged in the background. The team must be held.
 *
 * @param isForced otherwise runs that are not over keep it from being deleted
 * @throws CONFLICT with the number of such runs
 */
export async function deleteTeam(db: Queryable, { id: teamId, name }: { id: string; name: string }, isForced: boolean): Promise<void> {
  if (!isForced) refuseOpenRuns(`Team ${name}`, await countOpenRuns(db, teamId));
  await hideTeam(db, teamId);
  await hideWorkflowsOfTeam(db, teamId);
  await deleteTokensOfTeam(db, teamId);
  await deleteSchedulesOfTeam(db, teamId);
  await deleteSubscriptionsOfTeam(db, teamId);
  await dropTeamFromGlobalParameters(db, teamId);
  await signalOpenRuns(db, { teamId }, "Cancelled: the team was deleted");
}

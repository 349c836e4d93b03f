import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Queryable } from "../../store/database/database.ts";
import { deleteTokensOfTeam } from "../../store/identity/tokens.ts";
import { deleteSubscriptionsOfTeam } from "../../store/outbound/subscriptions.ts";
import { signalOpenRuns } from "../../store/run/run-events.ts";
import { deleteSchedulesOfTeam } from "../../store/schedule/schedules.ts";
import { dropTeamFromGlobalParameters } from "../../store/team/global-parameters.ts";
import { setMembers as storeMembers } from "../../store/team/members.ts";
import { hideTeam, insertTeam, lockTeam, updateTeam } from "../../store/team/teams.ts";
import { countOpenRuns, hideWorkflowsOfTeam } from "../../store/workflow/workflow-deletion.ts";
import { refuseOpenRuns } from "../run/cancel-run.ts";
import { setApproverGroups } from "./approver-groups.ts";
import { changedFields, mergeParameters, refuseLongerRetention, type TeamChange } from "./change-team.ts";
import { type MemberRights, setMembers } from "./team-members.ts";
import { toTeamName } from "./team-name.ts";

export type NewTeam = Omit<TeamChange, "status"> & { name: string; displayName: string };

interface Founding extends Pick<MemberRights, "checkInvited"> {
  /** The user who becomes owner; absent for a token that acts as itself. */
  creatorId?: string | undefined;
}

export async function createTeam(
  db: Queryable,
  team: NewTeam,
  keyring: Keyring,
  { creatorId, checkInvited }: Founding,
): Promise<{ id: string; name: string }> {
  const name = toTeamName(team.name);
  const blank = {
    name,
    displayName: team.displayName,
    status: "active",
    type: null,
    externalRef: null,
    labels: {},
    parameters: [],
    allowHostNetwork: false,
    allowPrivileged: false,
    retention: {},
  } as const;
  await refuseLongerRetention(db, {}, team.retention);
  const fields = changedFields({ ...blank, parameters: [] }, { ...team, status: "active" });
  const made = await insertTeam(db, fields);
  if (made === undefined) throw new AppError("TEAM_NON_UNIQUE_NAME", [name, "taken"]);
  await lockTeam(db, made.id);
  if (team.parameters.length > 0) {
    const parameters = mergeParameters({ id: made.id, parameters: [] }, team.parameters, keyring);
    await updateTeam(db, made.id, { ...fields, parameters });
  }
  await setMembers(db, made.id, team.members, { mayGrant: () => true, checkInvited });
  if (creatorId !== undefined) await storeMembers(db, made.id, [{ userId: creatorId, role: "owner" }]);
  await setApproverGroups(db, made.id, team.approverGroups);
  return { id: made.id, name };
}

/**
 * Hides the team with its workflows, kills its tokens, ends its schedules and subscriptions and has its runs cancelled, all in one
 * transaction; a submission that comes later finds no team. The engine is to be woken after the commit, and ends the processes of
 * the runs; rows are purged in the background. The team must be locked.
 *
 * @param isForced otherwise open runs prevent the deletion
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

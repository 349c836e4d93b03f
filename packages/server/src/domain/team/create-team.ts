import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { Queryable } from "../../store/database/database.ts";
import { setMembers as storeMembers } from "../../store/team/members.ts";
import { insertTeam, lockTeam, updateTeam } from "../../store/team/teams.ts";
import { setApproverGroups } from "./approver-groups.ts";
import { changedFields, mergeParameters, refuseLongerRetention, type TeamChange } from "./change-team.ts";
import { setMembers } from "./team-members.ts";
import { toTeamName } from "./team-name.ts";

export type NewTeam = Omit<TeamChange, "status"> & { name: string; displayName: string };

/** @param creatorId the user who becomes owner; undefined for a token that acts as itself */
export async function createTeam(
  db: Queryable,
  team: NewTeam,
  keyring: Keyring,
  creatorId?: string,
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
  await setMembers(db, made.id, team.members, () => true);
  if (creatorId !== undefined) await storeMembers(db, made.id, [{ userId: creatorId, role: "owner" }]);
  await setApproverGroups(db, made.id, team.approverGroups);
  return { id: made.id, name };
}

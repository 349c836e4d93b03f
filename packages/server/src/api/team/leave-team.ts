import { AppError } from "../../base/error/app-error.ts";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { leaveTeam as leave } from "../../domain/team/remove-members.ts";
import { isPerson } from "../../policy/allows.ts";
import { mayLeaveTeam } from "../../policy/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";

export const leaveTeam = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/leave",
  summary: "Leave a team",
  description: "You are no longer a member. The last owner can't leave.",
  tag: "Teams",
  permission: "signed-in",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  response: null,
  async handle({ db, team, principal, audit }) {
    if (!isPerson(principal)) throw new AppError("PERMISSION_DENIED", ["only a user can leave a team; this token belongs to no user"]);
    if (!mayLeaveTeam(principal)) throw new AppError("PERMISSION_DENIED", ["this token can't leave a team; it lacks team/action"]);
    await holdTeam(db, team);
    await leave(db, team, principal.userId);
    audit({ kind: "team", id: team.id, name: team.name, before: { members: [{ id: principal.userId }] } });
  },
});

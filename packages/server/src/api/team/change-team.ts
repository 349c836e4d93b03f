import { teamRequest, team as teamSchema } from "@millrace/contract/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import { changeTeam as change } from "../../domain/team/change-team.ts";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { mayChangeApproverGroups, mayGrantRole } from "../../policy/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { presentTeam } from "../present-body.ts";
import { teamPath } from "../team-path.ts";
import { readTeamRequest, requireNetworkRight, requireRetentionRight } from "./read-team-request.ts";
import { viewTeam } from "./team.view.ts";

export const changeTeam = defineEndpoint({
  method: "PATCH",
  path: "/api/v2/team/:team",
  summary: "Change a team",
  description:
    "Members that are left out don't change. Labels are merged (null removes one); parameters, team members and approver groups are added, or replaced by name or person. " +
    "You can't give or take away a role with more permissions than yours. Approver groups need team/grant, retention needs team/delete. Only an administrator can set quotas above the instance's default.",
  tag: "Teams",
  permission: "team/write",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  body: teamRequest,
  presentBody: presentTeam,
  response: teamSchema,
  async handle({ db, team, body, principal, keyring, services, audit }) {
    const wanted = await readTeamRequest(db, body, principal);
    if (wanted.approverGroups.length > 0 && !mayChangeApproverGroups(principal, team.id)) {
      throw new AppError("PERMISSION_DENIED", [
        `changing approver groups needs the permission team/grant in team ${team.name} (owners and administrators)`,
      ]);
    }
    const row = await holdTeam(db, team);
    requireNetworkRight(principal, wanted, row.allowHostNetwork);
    requireRetentionRight(principal, team.id, wanted, row.retention);
    const before = await viewTeam(db, services.runs.durations, row);
    await change(db, row, wanted, { keyring, mayGrant: (role) => mayGrantRole(principal, team.id, role) });
    const view = await viewTeam(db, services.runs.durations, await holdTeam(db, team));
    audit({ kind: "team", id: team.id, name: view.name, before, after: view });
    return view;
  },
});

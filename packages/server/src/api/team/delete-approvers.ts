import Type from "typebox";
import { deleteApproverGroups } from "../../domain/team/delete-approver-groups.ts";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";
import { viewApproverGroup } from "./team.view.ts";

export const deleteApprovers = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/approvers",
  summary: "Delete approver groups of a team",
  description:
    "Give IDs or names; unknown ones are ignored. 409 while open actions wait for one of them, since nobody else can decide those; " +
    "then none is deleted.",
  tag: "Teams",
  permission: "team/grant",
  transaction: "write",
  params: teamPath,
  body: Type.Array(Type.String({ maxLength: 400 }), { maxItems: 1000, examples: [["release-managers"]] }),
  response: null,
  async handle({ db, team, body, audit, auditNothing }) {
    await holdTeam(db, team);
    const deleted = await deleteApproverGroups(db, team.id, body);
    if (deleted.length === 0) return auditNothing();
    audit({ kind: "team", id: team.id, name: team.name, before: { approverGroups: deleted.map(viewApproverGroup) } });
  },
});

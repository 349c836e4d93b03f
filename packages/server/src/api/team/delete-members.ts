import { ref } from "@millrace/contract/schema.ts";
import { teamMember } from "@millrace/contract/team.ts";
import Type from "typebox";
import { holdTeam } from "../../domain/team/hold-team.ts";
import { removeMembers } from "../../domain/team/remove-members.ts";
import { mayGrantRole } from "../../policy/teams.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamPath } from "../team-path.ts";

export const deleteMembers = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/members",
  summary: "Remove members from a team",
  description: "Give IDs or email addresses; people who are not members are ignored. The last owner can't be removed.",
  tag: "Teams",
  permission: "team/delete",
  transaction: "write",
  changesRights: true,
  params: teamPath,
  body: Type.Array(ref(teamMember), { maxItems: 1000, examples: [[{ email: "someone@example.com" }]] }),
  response: null,
  async handle({ db, team, body, principal, audit }) {
    await holdTeam(db, team);
    const removed = await removeMembers(db, team.id, body, (role) => mayGrantRole(principal, team.id, role));
    audit({
      kind: "team",
      id: team.id,
      name: team.name,
      before: { members: removed.map(({ userId, email, role }) => ({ id: userId, email, role })) },
    });
  },
});

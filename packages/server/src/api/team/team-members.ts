import { teamRoles } from "@millrace/contract/identity/user.ts";
import { ref } from "@millrace/contract/schema.ts";
import { pageTeamMember, role, teamMember } from "@millrace/contract/team/team.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { deleteApproverGroups } from "../../domain/team/approver-groups.ts";
import { holdTeam } from "../../domain/team/change-team.ts";
import { leaveTeam as leave, removeMembers } from "../../domain/team/team-members.ts";
import { isPerson } from "../../policy/allows.ts";
import { teamRoleDescriptions, teamRolePermissions } from "../../policy/permissions.ts";
import { mayGrantRole, mayLeaveTeam } from "../../policy/teams.ts";
import { queryMembers as find } from "../../store/team/members.ts";
import { defineEndpoint } from "../endpoint.ts";
import { list, listOf, order, pageParameters, search, teamPath } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewApproverGroup, viewMember } from "./team.view.ts";

export const listRoles = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/roles",
  summary: "List the roles that a member can have",
  tag: "Teams",
  permission: "signed-in",
  transaction: "none",
  response: Type.Array(ref(role)),
  handle: async () =>
    teamRoles.map((name) => ({
      id: name,
      type: "team",
      name,
      description: teamRoleDescriptions[name],
      permissions: [...teamRolePermissions[name]],
    })),
});

export const queryMembers = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/member/query",
  summary: "Find members of a team",
  tag: "Teams",
  permission: "team/read",
  transaction: "read",
  params: teamPath,
  query: Type.Object({
    ...pageParameters,
    roles: listOf(teamRoles, "Roles; default all"),
    ids: list("IDs or email addresses of users; default all"),
    search: search("a name or the email address"),
    order: order("ASC"),
    sort: Type.String({
      default: "creationDate",
      description: "creationDate (when they joined), name, email or role; any other counts as creationDate",
    }),
  }),
  response: pageTeamMember,
  async handle({ db, team, query: { limit, page, roles, ids, search, order, sort } }) {
    const wanted = { limit, offset: limit * page, isDescending: order === "DESC", sort };
    const { rows, total } = await find(db, team.id, { roles, ids, search }, wanted);
    return viewPage(rows.map(viewMember), { limit, page, total, sorted: true });
  },
});

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
  async handle({ db, team, body, principalUnderLock, audit }) {
    await holdTeam(db, team);
    const principal = await principalUnderLock();
    const removed = await removeMembers(db, team.id, body, (role) => mayGrantRole(principal, team.id, role));
    audit({
      kind: "team",
      id: team.id,
      name: team.name,
      before: { members: removed.map(({ userId, email, role }) => ({ id: userId, email, role })) },
    });
  },
});

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
  async handle({ db, team, body, principalUnderLock, audit, auditNothing }) {
    await holdTeam(db, team);
    await principalUnderLock();
    const deleted = await deleteApproverGroups(db, team.id, body);
    if (deleted.length === 0) return auditNothing();
    audit({ kind: "team", id: team.id, name: team.name, before: { approverGroups: deleted.map(viewApproverGroup) } });
  },
});

import { ref } from "@millrace/contract/schema.ts";
import { role } from "@millrace/contract/team.ts";
import { teamRoles } from "@millrace/contract/user.ts";
import Type from "typebox";
import { teamRoleDescriptions, teamRolePermissions } from "../../policy/roles.ts";
import { defineEndpoint } from "../endpoint.ts";

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

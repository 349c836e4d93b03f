import type { TeamRole, UserType } from "@millrace/contract/user.ts";

/** What each role permits (reference-api 1.9.5). A team role gives nothing outside its team. */
export const teamRolePermissions: Readonly<Record<TeamRole, readonly string[]>> = {
  owner: ["**/**"],
  editor: ["**/read", "**/write", "**/action"],
  reader: ["**/read"],
};

export const teamRoleDescriptions: Readonly<Record<TeamRole, string>> = {
  owner: "Can do everything in the team",
  editor: "Can read, create, change and run everything in the team, but can't delete or manage approver groups",
  reader: "Can read everything in the team",
};

/** Instance-wide permissions by type of user; all other types have none. */
export function instancePermissions(type: UserType): readonly string[] {
  if (type === "admin") return ["**/**"];
  return type === "operator" ? ["**/read", "**/write", "**/action"] : [];
}

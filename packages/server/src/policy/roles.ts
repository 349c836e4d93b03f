import type { TeamRole, UserType } from "@millrace/contract/user.ts";

/** What each role permits (reference-api 1.9.5). A team role gives nothing outside its team. */
export const teamRolePermissions: Readonly<Record<TeamRole, readonly string[]>> = {
  owner: ["**/**"],
  editor: ["**/read", "**/write", "**/action"],
  reader: ["**/read"],
};

export const teamRoleDescriptions: Readonly<Record<TeamRole, string>> = {
  owner: "May do everything in the team",
  editor: "May read, create, change and run what the team has, but neither delete nor decide who approves",
  reader: "May read what the team has",
};

/** Instance-wide permissions by type of user; all other types have none. */
export function instancePermissions(type: UserType): readonly string[] {
  if (type === "admin") return ["**/**"];
  return type === "operator" ? ["**/read", "**/write", "**/action"] : [];
}

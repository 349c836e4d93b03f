import type { TeamRole, UserType } from "@millrace/contract/identity/user.ts";
import type { Principal } from "../api/endpoint.ts";
import { permissionsInTeam } from "./allows.ts";
import { instancePermissions, intersect, teamRolePermissions } from "./permissions.ts";

const everything = "**/**";

/** A user with their current roles. */
export interface UserRights {
  userId: string;
  userEmail: string | null;
  userName: string | null;
  userType: UserType | null;
  roles: readonly { teamId: string; role: TeamRole }[];
}

/** What the user may do, however they sign in. @param limit of their token; `**\/**` is no limit */
export function userPrincipal(
  { userId, userEmail, userName, userType, roles }: UserRights,
  limit: readonly string[] = [everything],
): Omit<Principal, "kind"> {
  const isLimited = !limit.includes(everything);
  const narrow = (permissions: readonly string[]) => (isLimited ? intersect(permissions, limit) : [...permissions]);
  return {
    id: `user:${userId}`,
    name: userName ?? userEmail ?? userId,
    ...(userEmail !== null && { email: userEmail }),
    userId,
    ...(isLimited && { limit: [...limit] }),
    permissions: narrow(userType === null ? [] : instancePermissions(userType)),
    teams: new Map(roles.map(({ teamId, role }) => [teamId, narrow(teamRolePermissions[role])])),
  };
}

/** The same principal, limited to these teams: unchanged permissions there, none elsewhere. */
export function keptToTeams<P extends Principal>(principal: P, teamIds: readonly string[]): P {
  const teams = new Map(teamIds.map((teamId) => [teamId, permissionsInTeam(principal, teamId)]));
  return { ...principal, permissions: [], teams };
}

import type { TeamRole, UserType } from "@millrace/contract/user.ts";
import type { Principal } from "../api/endpoint.ts";
import { permissionsInTeam } from "./allows.ts";
import { instancePermissions, intersect, teamRolePermissions } from "./permissions.ts";

const everything = "**/**";

/** A user with the roles he has now. */
export interface UserRights {
  userId: string;
  userEmail: string | null;
  userName: string | null;
  userType: UserType | null;
  roles: readonly { teamId: string; role: TeamRole }[];
}

/** What the user may do, whichever way he comes in. @param limit what his token was narrowed to; `**\/**` narrows nothing */
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

/** The same principal, who may do in these teams what he may there anyway, and nothing elsewhere. */
export function keptToTeams<P extends Principal>(principal: P, teamIds: readonly string[]): P {
  const teams = new Map(teamIds.map((teamId) => [teamId, permissionsInTeam(principal, teamId)]));
  return { ...principal, permissions: [], teams };
}

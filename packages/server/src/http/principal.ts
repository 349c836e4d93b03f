import type { Principal } from "../api/endpoint.ts";
import { intersect } from "../policy/permissions.ts";
import { instancePermissions, teamRolePermissions } from "../policy/roles.ts";
import type { PersonRow } from "../store/sign-ins.ts";
import type { CredentialRow } from "../store/tokens.ts";

const everything = "**/**";

/** What a stored token may do now: a user's follows the present roles, narrowed by what the token was limited to. */
export function toPrincipal(row: CredentialRow): Principal {
  const shared = { kind: row.kind, tokenId: row.id, expiresAt: row.expiresAt?.toISOString() };
  if (row.userId !== null) return { ...shared, ...asUser(row, row.userId) };
  if (row.teamId === null) return { ...shared, id: `token:${row.id}`, name: row.name, permissions: row.permissions, teams: new Map() };
  return {
    ...shared,
    id: `token:${row.id}`,
    name: row.name,
    teamId: row.teamId,
    workflowId: row.workflowId ?? undefined,
    workflowName: row.workflowName ?? undefined,
    permissions: [],
    teams: new Map([[row.teamId, row.permissions]]),
  };
}

type UserPart = Pick<CredentialRow, "permissions" | "userEmail" | "userName" | "userType" | "roles">;

function asUser(row: UserPart, userId: string) {
  const isLimited = !row.permissions.includes(everything);
  const narrow = (permissions: readonly string[]) => (isLimited ? intersect(permissions, row.permissions) : [...permissions]);
  return {
    id: `user:${userId}`,
    name: row.userName ?? row.userEmail ?? userId,
    email: row.userEmail ?? undefined,
    userId,
    limit: isLimited ? row.permissions : undefined,
    permissions: narrow(row.userType === null ? [] : instancePermissions(row.userType)),
    teams: new Map(row.roles.map(({ teamId, role }) => [teamId, narrow(teamRolePermissions[role])])),
  };
}

/** Somebody whom a trusted proxy names: as after signing in, with neither token nor session. */
export function toVisitorPrincipal({ userId, userEmail, userName, userType, roles }: PersonRow): Principal {
  const row = { permissions: [everything], userEmail, userName, userType, roles };
  return { kind: "session", ...asUser(row, userId) };
}

/** The token given by MILLRACE_ADMIN_TOKEN: it exists as long as the process runs with it, and is in no table. */
export const adminTokenPrincipal: Principal = {
  kind: "global",
  id: "token:admin",
  name: "admin token",
  permissions: [everything],
  teams: new Map(),
};

/** Everybody on this machine, where MILLRACE_AUTH=off has opened the instance. */
export const localPrincipal: Principal = {
  kind: "global",
  id: "token:local",
  name: "local administrator",
  permissions: [everything],
  teams: new Map(),
};

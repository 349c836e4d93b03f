import type { Principal } from "../../api/endpoint.ts";
import { userPrincipal } from "../../policy/user-principal.ts";
import type { PersonRow } from "../../store/identity/sign-ins.ts";
import type { CredentialRow } from "../../store/identity/tokens.ts";

const everything = "**/**";

/** What a stored token may do now: a user's follows the present roles, narrowed by what the token was limited to. */
export function toPrincipal(row: CredentialRow): Principal {
  const shared = { kind: row.kind, tokenId: row.id, expiresAt: row.expiresAt?.toISOString(), ...(row.tasks && { tasks: row.tasks }) };
  if (row.userId !== null) return { ...shared, ...userPrincipal({ ...row, userId: row.userId }, row.permissions) };
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

/** A user whom a trusted proxy names: the same rights as after signing in, without a token or session. */
export function toVisitorPrincipal(person: PersonRow): Principal {
  return { kind: "session", ...userPrincipal(person) };
}

/** The token from MILLRACE_ADMIN_TOKEN: it is valid as long as the process runs with it, and is in no table. */
export const adminTokenPrincipal: Principal = {
  kind: "global",
  id: "token:admin",
  name: "admin token",
  permissions: [everything],
  teams: new Map(),
};

/** Everyone on this machine, if MILLRACE_AUTH=off has opened the instance. */
export const localPrincipal: Principal = {
  kind: "global",
  id: "token:local",
  name: "local administrator",
  permissions: [everything],
  teams: new Map(),
};

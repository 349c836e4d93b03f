import { holds } from "@millrace/contract/permission.ts";
import type { Permission, Principal, Signer } from "../api/endpoint.ts";

/**
 * Whether this principal has the permission. In a team, instance-wide permissions count as well; without a team only those count.
 *
 * @param teamId the team of the path, if there is one
 */
export function allows(principal: Principal, permission: Permission, teamId?: string): boolean {
  if (permission === "open") return true;
  if (permission === "signed-in") return principal.id !== anonymousId;
  if (holds(principal.permissions, permission)) return true;
  return teamId !== undefined && holds(principal.teams.get(teamId) ?? [], permission);
}

/** For a principal without any permission in a team, the team does not exist. */
export function canSeeTeam(principal: Principal, teamId: string): boolean {
  return principal.permissions.length > 0 || (principal.teams.get(teamId)?.length ?? 0) > 0;
}

/** Everything that the principal may do in that team. */
export function permissionsInTeam(principal: Principal, teamId: string): string[] {
  return [...principal.permissions, ...(principal.teams.get(teamId) ?? [])];
}

const anonymousId = "anonymous";

/** A caller without a credential, and so without any permission. Only open endpoints meet it. */
export const anonymous: Principal = { kind: "session", id: anonymousId, name: anonymousId, permissions: [], teams: new Map() };

/**
 * An outside caller identified by a signature: a platform, or the holder of the secret of a workflow (webhook). This caller has no
 * permissions: the endpoint that checks the signature says what they may do.
 */
export function platform(name: Signer): Principal {
  return { kind: "integration", id: `integration:${name}`, name, permissions: [], teams: new Map() };
}

/** False for a caller without a credential, and for a signature, which is checked later. */
export function hasCredential({ kind, id }: Principal): boolean {
  return kind !== "integration" && id !== anonymousId;
}

/** True for people (by session or by a token of theirs), false for tokens that act as themselves. */
export function isPerson(principal: Principal): principal is Principal & { userId: string } {
  return principal.userId !== undefined;
}

import type { UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import { holds } from "@millrace/contract/permission.ts";
import type { Principal } from "../api/endpoint.ts";
import { covers, instancePermissions } from "./permissions.ts";

/** Whose rights a change affects, and how. */
export interface RightsChange {
  id: string;
  type: UserType;
  status: UserStatus;
  wanted: { type?: UserType | undefined; status?: UserStatus | undefined };
}

/**
 * You can't raise your own rights, and can't grant or revoke rights that you don't have. Undefined if the change is allowed, otherwise a
 * sentence with the reason.
 */
export function rightsRefusal(principal: Principal, { id, type, status, wanted }: RightsChange): string | undefined {
  const newType = wanted.type ?? type;
  if (newType === type && (wanted.status ?? status) === status) return undefined;
  if (id === principal.userId) return "you can't change your own type or status; ask another administrator";
  return reachRefusal(principal, type) ?? reachRefusal(principal, newType);
}

/** For changes that reduce a person's rights, such as deletion. */
export function reachRefusal(principal: Principal, type: UserType): string | undefined {
  const isWithin = instancePermissions(type).every((permission) => covers(principal.permissions, permission));
  return isWithin ? undefined : `a user of type ${type} has more permissions than you`;
}

export function mayDoEverything(principal: Principal): boolean {
  return covers(principal.permissions, "**/**");
}

/**
 * For what lets a caller become a person: anyone with the code for a new password can be that person, with all of their team
 * roles, current and future. So it needs every permission, as a token for someone else does.
 */
export function takeoverRefusal(principal: Principal): string | undefined {
  if (mayDoEverything(principal)) return undefined;
  return "setting a password or identity lets someone act as that user in all teams, so only an administrator can do it";
}

/** A limited token changes its user's profile only if it may change users. */
export function mayChangeProfile(principal: Principal): boolean {
  return principal.limit === undefined || holds(principal.limit, "user/write");
}

/** Anyone may manage their own sessions, as far as the token permits. */
export function mayEndSession(principal: Principal, userId: string): boolean {
  return isOwnSession(principal, userId) || holds(principal.permissions, "user/write");
}

/** Nobody can sign out a user with more rights than their own. Undefined if allowed, otherwise a sentence with the reason. */
export function endSessionRefusal(principal: Principal, { userId, userType }: { userId: string; userType: UserType }): string | undefined {
  return isOwnSession(principal, userId) ? undefined : reachRefusal(principal, userType);
}

function isOwnSession(principal: Principal, userId: string): boolean {
  return principal.userId === userId && principal.limit === undefined;
}

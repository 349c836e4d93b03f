import type { TeamSummary, UserProfile } from "@millrace/contract/identity/profile.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isPerson } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listMemberships, type MembershipRow } from "../../store/identity/sign-ins.ts";
import type { UserDetailRow } from "../../store/identity/user-details.ts";
import type { Principal } from "../endpoint.ts";
import { viewUser } from "./user.view.ts";

/** For what only a person has: a profile, sessions, a password. Returns the id of the user. */
export function requirePerson(principal: Principal): string {
  if (isPerson(principal)) return principal.userId;
  throw new AppError("PERMISSION_DENIED", [
    `${principal.name} is a token that belongs to no user; sign in, or use a user token (POST /api/v2/token with type user)`,
  ]);
}

/** For actions that give control of the account itself, for which a limited token is not enough. */
export function requireWholePerson(principal: Principal): { userId: string; email: string } {
  const userId = requirePerson(principal);
  if (principal.limit !== undefined) throw new AppError("PERMISSION_DENIED", ["this token has limited permissions; sign in instead"]);
  return { userId, email: principal.email ?? "" };
}

/** @param held all current permissions of the caller: in the instance, and in each team by its id */
export async function loadProfile(
  db: Queryable,
  user: UserDetailRow,
  held: { permissions: readonly string[]; teams: ReadonlyMap<string, readonly string[]> },
): Promise<UserProfile> {
  const memberships = await listMemberships(db, user.id);
  const permissions = [...held.permissions, ...[...held.teams.values()].flat()];
  return { ...viewUser(user), teams: memberships.map(viewTeamSummary), permissions: [...new Set(permissions)].sort() };
}

function viewTeamSummary(row: MembershipRow): TeamSummary {
  const { id, name, displayName, status, externalRef, labels, role } = row;
  const insights = { workflows: row.workflowCount, members: row.memberCount };
  return { id, name, displayName, creationDate: row.createdAt.toISOString(), status, externalRef, labels, role, insights };
}

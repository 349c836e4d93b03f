import type { TeamSummary, UserProfile } from "@millrace/contract/profile.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listMemberships, type MembershipRow } from "../../store/identity/memberships.ts";
import type { UserDetailRow } from "../../store/identity/user-details.ts";
import { viewUser } from "./user.view.ts";

/** @param held all that the caller may do now: in the instance, and in each team by its id */
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

import type { TeamMember } from "@millrace/contract/team.ts";
import type { TeamRole } from "@millrace/contract/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listMembers, type MemberRow, setMembers as storeMembers } from "../../store/team/members.ts";
import { findPeople } from "./find-people.ts";

/** Whether the caller may give a role, or take it from somebody who has it. */
export type MayGrant = (role: TeamRole) => boolean;

/**
 * Adds members or changes their roles. Nobody gives or takes a role that permits more than he may himself, and a team that
 * has an owner keeps one. The team must be locked.
 */
export async function setMembers(db: Queryable, teamId: string, members: readonly TeamMember[], mayGrant: MayGrant): Promise<void> {
  if (members.length === 0) return;
  const wanted = await findPeople(db, members);
  const present = await listMembers(db, [teamId]);
  const roleOf = new Map(present.map(({ userId, role }) => [userId, role]));
  const changed = wanted.filter(({ userId, role }) => roleOf.get(userId) !== role);
  for (const { userId, role } of changed) {
    for (const touched of [role, roleOf.get(userId)]) {
      if (touched !== undefined && !mayGrant(touched))
        throw new AppError("PERMISSION_DENIED", [`only owners can give or take away the role ${touched}`]);
    }
  }
  const newRoles = new Map(changed.map(({ userId, role }) => [userId, role]));
  const after = present.map((member) => ({ ...member, role: newRoles.get(member.userId) ?? member.role }));
  const added = changed.some(({ userId, role }) => role === "owner" && !roleOf.has(userId));
  requireOwner(present, after, added);
  await storeMembers(db, teamId, changed);
}

/** A team may have been made without an owner (by a token); but the last one that it has does not go. */
export function requireOwner(before: readonly MemberRow[], after: readonly Pick<MemberRow, "role">[], isOneAdded = false): void {
  const hasOwner = (members: readonly Pick<MemberRow, "role">[]) => members.some(({ role }) => role === "owner");
  if (hasOwner(before) && !hasOwner(after) && !isOneAdded) {
    throw new AppError("CONFLICT", [
      "The last owner of a team can't leave, be removed or get another role; make another member owner first",
    ]);
  }
}

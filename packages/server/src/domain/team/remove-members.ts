import type { TeamMember } from "@millrace/contract/team.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { deleteMembers, listMembers, type MemberRow } from "../../store/team/members.ts";
import { type MayGrant, requireOwner } from "./set-members.ts";

/**
 * Removes members, named by id or by email address; who is not a member is no error. The last owner stays, and nobody removes
 * somebody who may do more than he. The team must be held.
 */
export async function removeMembers(db: Queryable, teamId: string, named: readonly TeamMember[], mayGrant: MayGrant): Promise<MemberRow[]> {
  const ids = new Set(named.flatMap(({ id }) => (id ? [id.toLowerCase()] : [])));
  const emails = new Set(named.flatMap(({ id, email }) => (!id && email ? [email.toLowerCase()] : [])));
  const removed = await removeWhere(db, teamId, ({ userId, email }) => ids.has(userId) || emails.has(email));
  for (const { role } of removed) {
    if (!mayGrant(role)) throw new AppError("PERMISSION_DENIED", [`only owners can remove a member with the role ${role}`]);
  }
  return removed;
}

/** The user himself goes. The team must be held. */
export async function leaveTeam(db: Queryable, team: { id: string; name: string }, userId: string): Promise<void> {
  const removed = await removeWhere(db, team.id, (member) => member.userId === userId);
  if (removed.length === 0) throw new AppError("TEAM_INVALID_REF", [`${team.name} that you are a member of`]);
}

async function removeWhere(db: Queryable, teamId: string, isRemoved: (member: MemberRow) => boolean): Promise<MemberRow[]> {
  const present = await listMembers(db, [teamId]);
  const removed = present.filter(isRemoved);
  const after = present.filter((member) => !isRemoved(member));
  requireOwner(present, after);
  const userIds = removed.map(({ userId }) => userId);
  if (userIds.length > 0) await deleteMembers(db, teamId, userIds);
  return removed;
}

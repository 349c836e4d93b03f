import { type TeamRole, teamRoles } from "@millrace/contract/identity/user.ts";
import type { TeamMember } from "@millrace/contract/team/team.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isEmail, readEmail } from "../../base/text/email.ts";
import { isId } from "../../base/text/uuid.ts";
import type { Queryable } from "../../store/database/database.ts";
import { revokeInvitationsOf } from "../../store/identity/invitations.ts";
import { ensureUsers, listUsersById } from "../../store/identity/users.ts";
import { countOwners, deleteMembers, findMembers, type MemberRow, setMembers as storeMembers } from "../../store/team/members.ts";

/** Whether the caller may grant a role, or remove it from someone. */
export type MayGrant = (role: TeamRole) => boolean;

/** What the caller may do with the members of a team. */
export interface MemberRights {
  mayGrant: MayGrant;
  /** @throws AppError if the caller may not invite these addresses, which don't belong to members */
  checkInvited(emails: readonly string[]): void;
}

/** The affected members with their roles before and after a change. */
export interface MemberChange {
  before: MemberRow[];
  after: MemberRow[];
}

/**
 * Adds members or changes their roles. Callers can't grant or remove a role with more permissions than their own, and a team with an owner
 * keeps at least one. The team must be locked.
 */
export async function setMembers(
  db: Queryable,
  teamId: string,
  members: readonly TeamMember[],
  { mayGrant, checkInvited }: MemberRights,
): Promise<MemberChange> {
  if (members.length === 0) return { before: [], after: [] };
  refuseMisnamed(members);
  await checkNewAddresses(db, teamId, members, checkInvited);
  const wanted = await findPeople(db, members);
  const present = await findMembers(db, teamId, { ids: wanted.map(({ userId }) => userId) });
  const roleOf = new Map(present.map(({ userId, role }) => [userId, role]));
  const changed = wanted.filter(({ userId, role }) => roleOf.get(userId) !== role);
  for (const { userId, role } of changed) {
    for (const touched of [role, roleOf.get(userId)]) {
      if (touched !== undefined && !mayGrant(touched))
        throw new AppError("PERMISSION_DENIED", [`only owners can assign or remove the role ${touched}`]);
    }
  }
  const ids = changed.map(({ userId }) => userId);
  const before = present.filter(({ userId }) => ids.includes(userId));
  await requireOwner(db, teamId, before, changed);
  await storeMembers(db, teamId, changed);
  await revokeInvitationsOf(
    db,
    teamId,
    before.filter(({ role }) => role === "owner").map(({ userId }) => userId),
  );
  return { before, after: await findMembers(db, teamId, { ids }) };
}

type WithRole = Pick<MemberRow, "role" | "isInvited">;

/**
 * A team may have been created without an owner (by a token), but its last owner can't be removed. A person who was only invited does not
 * count as an owner yet.
 *
 * @param before the affected members before
 * @param after the same members after the change
 */
async function requireOwner(db: Queryable, teamId: string, before: readonly WithRole[], after: readonly WithRole[]): Promise<void> {
  const ownersIn = (members: readonly WithRole[]) => members.filter(({ role, isInvited }) => role === "owner" && !isInvited).length;
  const going = ownersIn(before);
  if (going === 0 || ownersIn(after) > 0 || (await countOwners(db, teamId)) > going) return;
  throw new AppError("CONFLICT", [
    "The last owner of a team can't leave, be removed or get another role; make another member owner first, who has signed in at least once",
  ]);
}

/**
 * Removes members, named by ID or email address; a name that is no member is not an error. The last owner stays, and nobody removes
 * someone with more permissions than their own. The team must be locked.
 */
export async function removeMembers(db: Queryable, teamId: string, named: readonly TeamMember[], mayGrant: MayGrant): Promise<MemberRow[]> {
  const ids = named.flatMap(({ id }) => (id ? [id.toLowerCase()] : []));
  const emails = named.flatMap(({ id, email }) => (!id && email ? [email.toLowerCase()] : []));
  const removed = await remove(db, teamId, await findMembers(db, teamId, { ids, emails }));
  for (const { role } of removed) {
    if (!mayGrant(role)) throw new AppError("PERMISSION_DENIED", [`only owners can remove a member with the role ${role}`]);
  }
  return removed;
}

/** The user leaves. The team must be locked. */
export async function leaveTeam(db: Queryable, team: { id: string; name: string }, userId: string): Promise<void> {
  const removed = await remove(db, team.id, await findMembers(db, team.id, { ids: [userId] }));
  if (removed.length === 0) throw new AppError("TEAM_INVALID_REF", [`${team.name} that you are a member of`]);
}

async function remove(db: Queryable, teamId: string, members: MemberRow[]): Promise<MemberRow[]> {
  await requireOwner(db, teamId, members, []);
  const userIds = members.map(({ userId }) => userId);
  if (userIds.length === 0) return members;
  await deleteMembers(db, teamId, userIds);
  await revokeInvitationsOf(db, teamId, userIds);
  return members;
}

/**
 * The users that a request names as members: by ID, else by email address. An unknown address is invited: an inactive user is created. If a
 * user is named twice, the last one counts.
 */
async function findPeople(db: Queryable, members: readonly TeamMember[]): Promise<WantedMember[]> {
  const roles = members.map(readRole);
  const ids = members.flatMap(({ id }) => (id ? [id.toLowerCase()] : []));
  const emails = members.flatMap(({ id, email }) => (!id && email ? [readEmail(email) ?? email] : []));
  const byId = new Map((await listUsersById(db, ids)).map((user) => [user.id, user]));
  const byEmail = new Map((emails.length === 0 ? [] : await ensureUsers(db, emails)).map((user) => [user.email, user]));
  const people = new Map<string, WantedMember>();
  for (const [index, { id, email }] of members.entries()) {
    const user = id ? byId.get(id.toLowerCase()) : byEmail.get(readEmail(email ?? "") ?? "");
    if (user === undefined) throw invalidMembers([{ path: `/members/${index}/id`, message: `is ${id}, but there is no such user` }]);
    people.set(user.id, { userId: user.id, role: roles[index]!, isInvited: user.isInvited });
  }
  return [...people.values()];
}

interface WantedMember {
  userId: string;
  role: TeamRole;
  isInvited: boolean;
}

function refuseMisnamed(members: readonly TeamMember[]): void {
  for (const member of members) readRole(member);
  const faults = members.flatMap((member, index) => whoFault(member, index));
  if (faults.length > 0) throw invalidMembers(faults);
}

/** The same response whether or not an address has an account: otherwise it would reveal that. */
async function checkNewAddresses(
  db: Queryable,
  teamId: string,
  members: readonly TeamMember[],
  checkInvited: MemberRights["checkInvited"],
): Promise<void> {
  const emails = members.flatMap(({ id, email }) => (!id && email ? [readEmail(email) ?? email] : []));
  if (emails.length === 0) return;
  const present = new Set((await findMembers(db, teamId, { emails })).map(({ email }) => email));
  checkInvited(emails.filter((email) => !present.has(email)));
}

function readRole({ role }: TeamMember): TeamRole {
  const word = teamRoles.find((known) => known === role?.toLowerCase());
  if (word === undefined) throw new AppError("TEAM_INVALID_USER_ROLE", [role ?? "(missing)"]);
  return word;
}

function whoFault({ id, email }: TeamMember, index: number): ErrorDetail[] {
  const path = `/members/${index}`;
  if (id) return isId(id) ? [] : [{ path: `${path}/id`, message: `is ${JSON.stringify(id.slice(0, 80))}; it must be the id of a user` }];
  if (!email) return [{ path, message: "identifies no user; give id or email" }];
  return isEmail(email)
    ? []
    : [
        {
          path: `${path}/email`,
          message: `is ${JSON.stringify(email.slice(0, 80))}; it must be an email address without invisible characters, and with no capital letters except A to Z`,
        },
      ];
}

function invalidMembers(details: ErrorDetail[]): AppError {
  return new AppError("VALIDATION_FAILED", [`${details[0]?.path} ${details[0]?.message}`], { details });
}

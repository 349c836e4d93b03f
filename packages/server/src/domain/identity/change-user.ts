import type { UserSettings, UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { bindIdentity, findOtherOwner, type Identity } from "../../store/identity/identities.ts";
import { deleteSessionsOfUser } from "../../store/identity/sessions.ts";
import { listMemberships } from "../../store/identity/sign-ins.ts";
import {
  countOtherAdministrators,
  lockUser,
  deleteUser as remove,
  type UserDetailRow,
  updateUser,
} from "../../store/identity/user-details.ts";
import { lockInstance } from "../../store/settings/instance.ts";

/** The requested changes to a user. Undefined members stay unchanged. */
export interface UserChange {
  name?: string | undefined;
  displayName?: string | undefined;
  type?: UserType | undefined;
  status?: UserStatus | undefined;
  /** null removes one. */
  labels: Record<string, string | null>;
  settings: Partial<UserSettings>;
  /** The identity that signs in as the user through OpenID Connect from now on. */
  identity?: Identity | undefined;
}

/** Most labels of a user. A change that adds more is refused. */
const maxLabels = 200;

/** Serializes changes of rights: if two administrators demote each other, the second change sees the first. */
export async function holdUserRights(db: Queryable, userId: string): Promise<UserDetailRow> {
  await lockInstance(db);
  return holdUser(db, userId);
}

/** Locks the user until the transaction ends, for a change that affects neither type nor status. */
export async function holdUser(db: Queryable, userId: string): Promise<UserDetailRow> {
  const user = await lockUser(db, userId);
  if (user === undefined) throw new AppError("USER_NOT_FOUND", [userId]);
  return user;
}

/**
 * The last active administrator can't be demoted. A user who is no longer active is signed out everywhere, and their tokens don't work
 * until they are active again.
 *
 * @param user as `holdUserRights` returned it in this transaction, or `holdUser` if neither type nor status can change
 */
export async function changeUser(db: Queryable, user: UserDetailRow, change: UserChange): Promise<UserDetailRow> {
  const after = {
    ...user,
    name: change.name ?? user.name,
    displayName: change.displayName ?? user.displayName,
    type: change.type ?? user.type,
    status: change.status ?? user.status,
    labels: mergeLabels(user.labels, change.labels),
    settings: { ...user.settings, ...change.settings },
  };
  if (isAdministrator(user) && !isAdministrator(after)) await requireAnotherAdministrator(db, user.id);
  await updateUser(db, user.id, after);
  if (after.status !== "active") await deleteSessionsOfUser(db, user.id);
  return change.identity === undefined || isKnownAs(user, change.identity) ? after : agreeToIdentity(db, after, change.identity);
}

export function isKnownAs(user: Pick<UserDetailRow, "issuer" | "subject">, { issuer, subject }: Identity): boolean {
  return user.issuer === issuer && user.subject === subject;
}

/** Sessions belong to the previous identity, so they end. The lock of the instance prevents two users with one identity. */
async function agreeToIdentity(db: Queryable, user: UserDetailRow, identity: Identity): Promise<UserDetailRow> {
  const other = await findOtherOwner(db, user.id, identity);
  if (other !== undefined) throw new AppError("CONFLICT", [`That subject of the issuer already signs in as ${other.email}`]);
  await bindIdentity(db, user.id, identity);
  await deleteSessionsOfUser(db, user.id);
  return { ...user, ...identity, requestedIssuer: null, requestedSubject: null, requestedAt: null };
}

/** Without any administrator, only the holder of a global token could appoint a new one. */
async function requireAnotherAdministrator(db: Queryable, userId: string): Promise<void> {
  if ((await countOtherAdministrators(db, userId)) > 0) return;
  throw new AppError("CONFLICT", ["This is the last active administrator; make another user administrator first"]);
}

function isAdministrator({ type, status }: Pick<UserDetailRow, "type" | "status">): boolean {
  return type === "admin" && status === "active";
}

function mergeLabels(present: Record<string, string>, change: Record<string, string | null>): Record<string, string> {
  const merged = { ...present, ...change };
  const kept = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
  if (kept.length > maxLabels && kept.length > Object.keys(present).length) {
    const message = `would result in ${kept.length} labels; a user can have at most ${maxLabels}`;
    throw new AppError("VALIDATION_FAILED", [`body /labels ${message}`], { details: [{ path: "/labels", message }] });
  }
  return Object.fromEntries(kept);
}

/**
 * The user's tokens and sessions are deleted, too; votes and audit records keep the name. Refused while the user belongs to a team, and for
 * the last active administrator. The user must be locked, so that nobody adds them to a team meanwhile.
 */
export async function deleteUser(db: Queryable, user: UserDetailRow): Promise<void> {
  const teams = await listMemberships(db, user.id);
  if (teams.length > 0) throw new AppError("USER_UNABLE_TO_DELETE", [user.email, teams.map(({ name }) => name).join(", ")]);
  if (isAdministrator(user)) await requireAnotherAdministrator(db, user.id);
  await remove(db, user.id);
}

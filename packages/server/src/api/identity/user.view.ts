import {
  defaultUserSettings,
  type User,
  type UserRequest,
  type UserSettings,
  type UserStatus,
  type UserType,
  userStatuses,
  userTypes,
} from "@millrace/contract/identity/user.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { readEmail } from "../../base/text/email.ts";
import type { UserChange } from "../../domain/identity/change-user.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findUserDetails, type UserDetailRow } from "../../store/identity/user-details.ts";
import { given, invalidMember, wordOf } from "../body-members.ts";

export const userPath = Type.Object({ userId: Type.String({ description: "ID or email address of the user" }) });

/** By id or email address. */
export async function findUser(db: Queryable, reference: string): Promise<UserDetailRow> {
  const user = await findUserDetails(db, reference);
  if (user === undefined) throw new AppError("USER_NOT_FOUND", [reference]);
  return user;
}

/**
 * The changes that a request asks for, for the user with that address; null and blank texts mean "not given". A client may send back
 * everything it has read, so the present address is no change; a different one is refused.
 */
export function readUserRequest(request: UserRequest, presentEmail: string): UserChange {
  const email = given(request.email);
  if (email !== undefined && readEmail(email.trim()) !== presentEmail) {
    throw invalidMember(
      "email",
      `is ${JSON.stringify(email)}, but an email address can't be changed; leave it out, or keep ${presentEmail}`,
    );
  }
  return {
    name: given(request.name)?.trim(),
    displayName: given(request.displayName)?.trim(),
    type: wordOf("type", request.type, userTypes) as UserType | undefined,
    status: wordOf("status", request.status, userStatuses) as UserStatus | undefined,
    labels: request.labels ?? {},
    settings: Object.fromEntries(Object.entries(request.settings ?? {}).filter(isKnownFlag)) as Partial<UserSettings>,
    identity: request.identity ?? undefined,
  };
}

function isKnownFlag([name, value]: [string, unknown]): boolean {
  return ["isFirstVisit", "isShowHelp", "hasConsented"].includes(name) && typeof value === "boolean";
}

export function viewUser(row: UserDetailRow): User {
  return {
    id: row.id,
    email: row.email,
    ...(row.name !== null && { name: row.name }),
    ...(row.displayName !== null && { displayName: row.displayName }),
    type: row.type,
    creationDate: row.createdAt.toISOString(),
    ...(row.lastLoginAt !== null && { lastLoginDate: row.lastLoginAt.toISOString() }),
    status: row.status,
    labels: row.labels,
    settings: { ...defaultUserSettings, ...row.settings },
    ...viewIdentities(row),
  };
}

function viewIdentities({ issuer, subject, ...row }: UserDetailRow): Pick<User, "identity" | "requestedIdentity"> {
  const { requestedIssuer, requestedSubject, requestedAt } = row;
  const isRequested = requestedIssuer !== null && requestedSubject !== null && requestedAt !== null;
  return {
    ...(issuer !== null && subject !== null && { identity: { issuer, subject } }),
    ...(isRequested && { requestedIdentity: { issuer: requestedIssuer, subject: requestedSubject, date: requestedAt.toISOString() } }),
  };
}

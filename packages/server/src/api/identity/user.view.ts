import { defaultUserSettings, type User } from "@millrace/contract/user.ts";
import type { UserDetailRow } from "../../store/identity/user-details.ts";

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

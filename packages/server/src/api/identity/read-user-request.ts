import { type UserRequest, type UserSettings, type UserStatus, type UserType, userStatuses, userTypes } from "@millrace/contract/user.ts";
import { readEmail } from "../../base/text/email.ts";
import type { UserChange } from "../../domain/identity/change-user.ts";
import { given, invalidMember, wordOf } from "../body-members.ts";

/**
 * What a request wants of the user with that address; null and blank texts mean "not given". A client may send back all that it has
 * read, so the present address is no change; another one is refused.
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

import { AppError } from "../../base/error/app-error.ts";
import { isPerson } from "../../policy/allows.ts";
import type { Principal } from "../endpoint.ts";

/** For what only a person has: a profile, sessions, a password. Answers the id of the user. */
export function requirePerson(principal: Principal): string {
  if (isPerson(principal)) return principal.userId;
  throw new AppError("PERMISSION_DENIED", [
    `${principal.name} is a token that belongs to no user; sign in, or use a user token (POST /api/v2/token with type user)`,
  ]);
}

/** For what hands over the account itself: a token that was narrowed does not reach so far. */
export function requireWholePerson(principal: Principal): { userId: string; email: string } {
  const userId = requirePerson(principal);
  if (principal.limit !== undefined) throw new AppError("PERMISSION_DENIED", ["this token has limited permissions; sign in instead"]);
  return { userId, email: principal.email ?? "" };
}

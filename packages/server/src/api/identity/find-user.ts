import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findUserDetails, type UserDetailRow } from "../../store/identity/user-details.ts";

/** By id or email address. */
export async function findUser(db: Queryable, reference: string): Promise<UserDetailRow> {
  const user = await findUserDetails(db, reference);
  if (user === undefined) throw new AppError("USER_NOT_FOUND", [reference]);
  return user;
}

import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listMemberships } from "../../store/identity/memberships.ts";
import { deleteUser as remove, type UserDetailRow } from "../../store/identity/user-details.ts";
import { isAdministrator, requireAnotherAdministrator } from "./change-user.ts";

/**
 * His tokens and sessions end with him; votes and audit records keep his name. Refused while he belongs to a team, and for the last
 * active administrator. The user must be held, so that nobody makes him a member meanwhile.
 */
export async function deleteUser(db: Queryable, user: UserDetailRow): Promise<void> {
  const teams = await listMemberships(db, user.id);
  if (teams.length > 0) throw new AppError("USER_UNABLE_TO_DELETE", [user.email, teams.map(({ name }) => name).join(", ")]);
  if (isAdministrator(user)) await requireAnotherAdministrator(db, user.id);
  await remove(db, user.id);
}

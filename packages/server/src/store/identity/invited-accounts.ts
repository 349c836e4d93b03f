import type { UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

/** The account of an invitation, with what decides whether its holder may set a password. */
export interface InvitedAccount {
  id: string;
  status: UserStatus;
  type: UserType;
  /** It was added by address, and has never been signed in to. */
  isInvited: boolean;
  /** It belongs to a team other than the inviting one. */
  hasOtherTeams: boolean;
}

/** Locked until the transaction ends. */
export async function lockInvitedAccount(db: Queryable, email: string, teamId: string): Promise<InvitedAccount | undefined> {
  const [row] = await db<InvitedAccount[]>`
    select id, status, type, is_invited as "isInvited",
      exists (select from team_member m where m.user_id = app_user.id and m.team_id <> ${teamId}) as "hasOtherTeams"
    from app_user where email = ${email} for update`;
  return row;
}

/** Activates an account that was only added, with its first password. */
export async function activateInvited(
  db: Queryable,
  id: string,
  { name, passwordHash }: { name: string | undefined; passwordHash: string },
) {
  await db`
    update app_user set status = 'active', is_invited = false, password_hash = ${passwordHash}, name = coalesce(${name ?? null}, name)
    where id = ${id} and is_invited`;
}

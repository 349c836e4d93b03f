import type { UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

export interface PasswordRow {
  id: string;
  status: UserStatus;
  type: UserType;
  passwordHash: string | null;
}

export async function findPassword(db: Queryable, email: string): Promise<PasswordRow | undefined> {
  const [row] = await db<PasswordRow[]>`
    select id, status, type, password_hash as "passwordHash" from app_user where email = lower(normalize(${email}, nfc))`;
  return row;
}

/**
 * Whether an active user still has that password, and keeps it until the transaction ends: of a concurrent sign-in and change of the
 * password (or deactivation), either the change ends the session, or the sign-in sees the change.
 */
export async function holdPassword(db: Queryable, userId: string, hash: string): Promise<boolean> {
  const rows = await db`
    select 1 from app_user where id = ${userId} and password_hash = ${hash} and status = 'active' for no key update`;
  return rows.length > 0;
}

/** Whether someone could sign in with a password at all. */
export async function hasPasswords(db: Queryable): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (select from app_user where status = 'active' and password_hash is not null) as found`;
  return row!.found;
}

/** False if the password is no longer the one that was checked. */
export async function replacePassword(db: Queryable, userId: string, oldHash: string, newHash: string): Promise<boolean> {
  const { count } = await db`
    update app_user set password_hash = ${newHash}, reset_code_hash = null, reset_code_until = null
    where id = ${userId} and password_hash = ${oldHash}`;
  return count > 0;
}

/** A second code replaces the first. Undefined for a deactivated or deleted user. */
export async function setResetCode(db: Queryable, userId: string, codeHash: Buffer, hours: number): Promise<Date | undefined> {
  const [row] = await db<{ until: Date }[]>`
    update app_user set reset_code_hash = ${codeHash}, reset_code_until = (select db_now()) + make_interval(hours => ${hours})
    where id = ${userId} and (status = 'active' or is_invited) returning reset_code_until as until`;
  return row?.until;
}

/**
 * Sets the password of the user with that code, and uses the code up. An invited user becomes active; a deactivated one gets nothing.
 * Undefined if address and code do not match or the code has expired.
 */
export async function takeResetCode(db: Queryable, email: string, codeHash: Buffer, passwordHash: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    update app_user set password_hash = ${passwordHash}, reset_code_hash = null, reset_code_until = null, status = 'active', is_invited = false
    where email = lower(normalize(${email}, nfc)) and reset_code_hash = ${codeHash} and reset_code_until > (select db_now())
      and (status = 'active' or is_invited)
    returning id`;
  return row?.id;
}

import type { UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

export interface UserRow {
  id: string;
  email: string;
  name: string | null;
  displayName: string | null;
  type: UserType;
  status: UserStatus;
  /** Added by address, and has not signed in yet. */
  isInvited: boolean;
}

const columns = (db: Queryable) => db`id, email, name, display_name as "displayName", type, status, is_invited as "isInvited"`;

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db<UserRow[]>`select ${columns(db)} from app_user where id = ${id}`;
  return row;
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db<UserRow[]>`select ${columns(db)} from app_user where email = lower(normalize(${email}, nfc))`;
  return row;
}

/** The users with these ids. Unknown ids are left out. */
export async function listUsersById(db: Queryable, ids: readonly string[]): Promise<UserRow[]> {
  return db<UserRow[]>`select ${columns(db)} from app_user where id = any(${[...ids]})`;
}

/** One user for each address. Missing ones are created, and can't sign in until they are activated. */
export async function ensureUsers(db: Queryable, emails: readonly string[]): Promise<UserRow[]> {
  const lower = [...new Set(emails.map((email) => email.toLowerCase()))].sort();
  await db`
    insert into app_user (email, name, status, is_invited) select email, email, 'inactive', true from unnest(${lower}::text[]) as email
    on conflict (email) do nothing`;
  return db<UserRow[]>`select ${columns(db)} from app_user where email = any(${lower})`;
}

export interface NewUser {
  email: string;
  name?: string | null;
  displayName?: string | null;
  type: UserType;
  status: UserStatus;
  passwordHash?: string | null;
}

/** Undefined when the address is taken. */
export async function insertUser(db: Queryable, user: NewUser): Promise<UserRow | undefined> {
  const [row] = await db<UserRow[]>`
    insert into app_user (email, name, display_name, type, status, password_hash)
    values (lower(normalize(${user.email}, nfc)), ${user.name ?? null}, ${user.displayName ?? null}, ${user.type}, ${user.status}, ${user.passwordHash ?? null})
    on conflict (email) do nothing
    returning ${columns(db)}`;
  return row;
}

/** Makes a user that was invited before an administrator with a password. */
export async function promoteUser(db: Queryable, id: string, passwordHash: string): Promise<void> {
  await db`update app_user set type = 'admin', status = 'active', is_invited = false, password_hash = ${passwordHash} where id = ${id}`;
}

/** Activates an invited user who has not signed in yet; not one that was deactivated. */
export async function letUserIn(db: Queryable, id: string): Promise<void> {
  await db`update app_user set status = 'active', is_invited = false where id = ${id} and is_invited`;
}

/** Whether more than one person can sign in, or was invited to. */
export async function hasSecondPerson(db: Queryable): Promise<boolean> {
  const [row] = await db<{ people: number; isInviting: boolean }[]>`
    select (select count(*)::int from (select from app_user where status = 'active' or is_invited limit 2) as person) as people,
      exists (select from invitation where accepted_at is null and revoked_at is null and expires_at > (select db_now())) as "isInviting"`;
  return row!.people > 1 || row!.isInviting;
}

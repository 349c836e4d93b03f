import type { UserStatus, UserType } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

/** The identity of a person at an identity provider. It never changes. */
export interface Identity {
  issuer: string;
  subject: string;
}

export interface KnownPerson {
  id: string;
  email: string;
  type: UserType;
  status: UserStatus;
  isInvited: boolean;
  issuer: string | null;
  subject: string | null;
}

const columns = (db: Queryable) => db`id, email, type, status, is_invited as "isInvited", issuer, subject`;

/** Locked until the transaction ends (index app_user_identity). */
export async function lockPersonByIdentity(db: Queryable, { issuer, subject }: Identity): Promise<KnownPerson | undefined> {
  const [row] = await db<KnownPerson[]>`
    select ${columns(db)} from app_user where issuer = ${issuer} and subject = ${subject} for no key update`;
  return row;
}

/** Locked until the transaction ends. @param email in normal form C and lower case */
export async function lockPersonByEmail(db: Queryable, email: string): Promise<KnownPerson | undefined> {
  const [row] = await db<KnownPerson[]>`select ${columns(db)} from app_user where email = ${email} for no key update`;
  return row;
}

/** Creates a person on the first visit. Undefined if the address or the identity is taken by now. */
export async function insertPerson(
  db: Queryable,
  { email, name, type, issuer, subject }: Identity & { email: string; name: string; type: UserType },
): Promise<KnownPerson | undefined> {
  const [row] = await db<KnownPerson[]>`
    insert into app_user (email, name, type, status, issuer, subject)
    values (${email}, ${name}, ${type}, 'active', ${issuer}, ${subject})
    on conflict do nothing returning ${columns(db)}`;
  return row;
}

/** From now on the user is identified by that; earlier requests to accept an identity are dropped. */
export async function bindIdentity(db: Queryable, userId: string, { issuer, subject }: Identity): Promise<void> {
  await db`
    update app_user set issuer = ${issuer}, subject = ${subject}, requested_issuer = null, requested_subject = null, requested_at = null
    where id = ${userId}`;
}

/** Another identity came with the address of that user: an administrator has to decide whether it is the same person. */
export async function requestIdentity(db: Queryable, userId: string, { issuer, subject }: Identity): Promise<void> {
  await db`
    update app_user set requested_issuer = ${issuer}, requested_subject = ${subject}, requested_at = (select db_now()) where id = ${userId}`;
}

/** The other user who has it. */
export async function findOtherOwner(db: Queryable, userId: string, { issuer, subject }: Identity): Promise<{ email: string } | undefined> {
  const [row] = await db<{ email: string }[]>`
    select email from app_user where issuer = ${issuer} and subject = ${subject} and id <> ${userId}`;
  return row;
}

/** The label follows the provider, unless another user has that address. */
export async function updatePersonEmail(db: Queryable, userId: string, email: string): Promise<void> {
  await db`
    update app_user set email = ${email}
    where id = ${userId} and email <> ${email} and not exists (select 1 from app_user o where o.email = ${email})`;
}

/** False if it was used before. The primary key accepts only one of several concurrent uses. */
export async function useState(db: Queryable, hash: Buffer, untilMs: number): Promise<boolean> {
  const { count } = await db`
    insert into used_state (hash, until) values (${hash}, to_timestamp(${untilMs / 1000}::double precision)) on conflict do nothing`;
  return count > 0;
}

export async function deleteOldStates(db: Queryable): Promise<void> {
  await db`delete from used_state where until < (select db_now())`;
}

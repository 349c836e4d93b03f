import type { UserType } from "@millrace/contract/identity/user.ts";
import type { Queryable } from "../database/database.ts";

/** Sessions are tokens of kind `session`; this file has what only they need. */
export interface NewSession {
  hash: Buffer;
  userId: string;
  createdBy: string;
  lifetimeSeconds: number;
  /** It ends after this time without requests. */
  idleSeconds: number;
  clientAddress: string;
  userAgent: string | null;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<{ id: string }> {
  const [row] = await db<{ id: string }[]>`
    insert into token (kind, hash, name, user_id, permissions, created_by, expires_at, idle_seconds, client_address, user_agent)
    values ('session', ${session.hash}, 'session', ${session.userId}, ${["**/**"]}, ${session.createdBy},
      (select db_now()) + make_interval(secs => ${session.lifetimeSeconds}), ${session.idleSeconds}, ${session.clientAddress}, ${session.userAgent})
    returning id`;
  return row!;
}

export interface SessionRow {
  id: string;
  userId: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  clientAddress: string | null;
  userAgent: string | null;
}

const columns = (db: Queryable) => db`
  id, user_id as "userId", created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt",
  client_address as "clientAddress", user_agent as "userAgent"`;

const isOver = (db: Queryable) => db`
  (expires_at <= (select db_now())
    or coalesce(last_used_at, created_at) + make_interval(secs => idle_seconds) <= (select db_now()))`;

/** Those that are not over, the newest first. */
export async function listSessions(db: Queryable, userId: string): Promise<SessionRow[]> {
  return db<SessionRow[]>`
    select ${columns(db)} from token where kind = 'session' and user_id = ${userId} and not ${isOver(db)}
    order by created_at desc, id desc`;
}

/** With the type of its user. */
export async function findSession(db: Queryable, id: string): Promise<(SessionRow & { userType: UserType }) | undefined> {
  const [row] = await db<(SessionRow & { userType: UserType })[]>`
    select ${columns(db)}, (select u.type from app_user u where u.id = token.user_id) as "userType"
    from token where kind = 'session' and id = ${id}`;
  return row;
}

/** Ends all sessions of a user except this one. Approved device sign-ins whose token was not fetched yet end, too. */
export async function deleteSessionsOfUser(db: Queryable, userId: string, exceptId?: string): Promise<void> {
  await db`
    with approved as (delete from device_sign_in where user_id = ${userId})
    delete from token where kind = 'session' and user_id = ${userId} and id is distinct from ${exceptId ?? null}`;
}

/** Of everyone, in the same way. */
export async function deleteAllSessions(db: Queryable): Promise<number> {
  const { count } = await db`
    with approved as (delete from device_sign_in where user_id is not null)
    delete from token where kind = 'session'`;
  return count;
}

/** Removes those that can't be used any more (index token_session_end for most of them). */
export async function deleteOverSessions(db: Queryable): Promise<void> {
  await db`delete from token where kind = 'session' and ${isOver(db)}`;
}

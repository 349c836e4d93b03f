import type { Queryable } from "../database/database.ts";

/** Something with a limited number of attempts within a quarter of an hour. */
export interface AttemptLimit {
  /** SHA-256 of the limited subject: an account, an address. */
  subject: Buffer;
  most: number;
}

/** The rows of an attempt in progress, or how long to wait for the next. */
export type TakenAttempt = { ids: string[] } | { waitSeconds: number };

/**
 * Counts an attempt as failed before it is checked, so that many concurrent ones can't get through together, unless one of the subjects has
 * reached its limit in the last 15 minutes. Run it in a transaction of its own: it locks the subjects, in the order of their bytes, so that
 * two processes can't deadlock.
 */
export async function takeAttempt(db: Queryable, limits: readonly AttemptLimit[]): Promise<TakenAttempt> {
  const subjects = limits.map(({ subject }) => subject);
  for (const subject of [...subjects].sort(Buffer.compare)) {
    await db`select pg_advisory_xact_lock(${subject.readBigInt64BE(0).toString()}::bigint)`;
  }
  const hex = subjects.map((subject) => subject.toString("hex"));
  const waits = await db<{ seconds: number }[]>`
    select ceil(extract(epoch from oldest.at + interval '15 minutes' - (select db_now())))::int as seconds
    from unnest(${hex}::text[], ${limits.map(({ most }) => most)}::int[]) as wanted (subject, most)
      cross join lateral (
        select f.at from failed_attempt f
        where f.subject = decode(wanted.subject, 'hex') and f.at > (select db_now()) - interval '15 minutes'
        order by f.at desc offset wanted.most - 1 limit 1) as oldest`;
  if (waits.length > 0) return { waitSeconds: Math.max(1, ...waits.map(({ seconds }) => seconds)) };
  const rows = await db<
    { id: string }[]
  >`insert into failed_attempt (subject) select decode(subject, 'hex') from unnest(${hex}::text[]) as subject returning id`;
  return { ids: rows.map(({ id }) => id) };
}

/** It succeeded: its own rows are deleted, and the failures of the account are forgotten. */
export async function forgetAttempt(db: Queryable, ids: readonly string[], account: Buffer): Promise<void> {
  await db`delete from failed_attempt where id = any(${[...ids]}) or subject = ${account}`;
}

export async function deleteOldAttempts(db: Queryable): Promise<void> {
  await db`delete from failed_attempt where at < (select db_now()) - interval '1 hour'`;
}

import type { Database, Queryable, Transaction } from "../database/database.ts";

/**
 * The encryption keys as the database knows them, by id: that of this instance (the fingerprint), those that stored values refer to
 * (recorded by triggers when they are written), and what was decided about them.
 */
export interface StoredKeys {
  /** Null before the first start. */
  fingerprint: string | null;
  /** Keys that stored values may refer to, with the columns they are in: `table.column`. Forgotten ones are left out. */
  inUse: { keyId: string; places: string[] }[];
  /** Nothing may be sealed with these any more. */
  retired: string[];
  /** Lost keys; what they sealed stays unreadable. */
  forgotten: string[];
}

export async function getStoredKeys(db: Queryable): Promise<StoredKeys> {
  const [row] = await db<StoredKeys[]>`
    select (select key_fingerprint from instance) as "fingerprint",
           array(select key_id from encryption_key where retired_at is not null order by key_id) as "retired",
           array(select key_id from encryption_key where forgotten_at is not null order by key_id) as "forgotten",
           coalesce((select json_agg(u order by u."keyId") from (
             select s.key_id as "keyId", json_agg(s.place order by s.place) as "places" from sealed_key s
             where not exists (select from encryption_key k where k.key_id = s.key_id and k.forgotten_at is not null)
             group by s.key_id) u), '[]') as "inUse"`;
  return row!;
}

/**
 * Changes it only if it still has the expected value, so that of two first starts with different keys one fails. Returns whether it did.
 */
export async function replaceKeyFingerprint(db: Queryable, seen: string | null, next: string): Promise<boolean> {
  const rows = await db`
    update instance set key_fingerprint = ${next} where key_fingerprint is not distinct from ${seen} returning singleton as "changed"`;
  return rows.length > 0;
}

/** Until this transaction ends nobody writes a value that is sealed with the key, and all earlier writers have committed. */
export async function lockKey(tx: Transaction, keyId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext('millrace.sealed_key'), hashtext(${keyId}))`;
}

/** Under `lockKey`, when nothing is sealed with the key any more. If it was the instance's key, the next one becomes that. */
export async function retireKey(tx: Transaction, keyId: string, next: string): Promise<void> {
  await tx`delete from sealed_key where key_id = ${keyId}`;
  await tx`
    insert into encryption_key (key_id, retired_at) values (${keyId}, db_now())
    on conflict (key_id) do update set retired_at = excluded.retired_at, forgotten_at = null`;
  await replaceKeyFingerprint(tx, keyId, next);
}

/** Configured keys are not lost. */
export async function rememberKeys(db: Queryable, keyIds: readonly string[]): Promise<void> {
  await db`update encryption_key set forgotten_at = null where key_id = any(${[...keyIds]}) and forgotten_at is not null`;
}

/** A lost key no longer prevents the start of the service. */
export async function forgetKey(db: Database, keyId: string): Promise<void> {
  await db`
    insert into encryption_key (key_id, forgotten_at) values (${keyId}, db_now())
    on conflict (key_id) do update set forgotten_at = excluded.forgotten_at`;
}

/** Open runs that were submitted before the last of these keys was retired: their callback URLs may be signed with it. */
export async function countRunsSignedWith(db: Queryable, keyIds: readonly string[]): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as "count" from run
    where phase in ('pending', 'queued', 'running')
      and created_at <= (select max(retired_at) from encryption_key where key_id = any(${[...keyIds]}))`;
  return row!.count;
}

/** Only one of two concurrent rotations gets it. Held for the connection. */
export async function tryLockRotation(db: Queryable): Promise<boolean> {
  const [row] = await db<{ isLocked: boolean }[]>`
    select pg_try_advisory_lock(hashtext('millrace.sealed_key'), hashtext('rotation')) as "isLocked"`;
  return row!.isLocked;
}

/** Open runs. Their callback URLs are signed with the key of their submission. */
export async function countOpenRuns(db: Queryable): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as "count" from run where phase in ('pending', 'queued', 'running')`;
  return row!.count;
}

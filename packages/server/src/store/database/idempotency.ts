import type { Queryable } from "./database.ts";

export interface IdempotencyKey {
  principal: string;
  method: string;
  path: string;
  key: string;
}

export interface KeptAnswer {
  requestHash: Buffer;
  /** Null while the first request has not ended. */
  status: number | null;
  response: string | null;
}

/**
 * Takes the key for this transaction: true if it is ours. A second request with the key waits here (unique index) until the first has
 * ended; if that one rolled back, the key is free again. Keys older than a day are taken over.
 */
export async function claimIdempotencyKey(db: Queryable, key: IdempotencyKey, requestHash: Buffer): Promise<boolean> {
  const rows = await db`
    insert into idempotency (principal, method, path, key, request_hash)
    values (${key.principal}, ${key.method}, ${key.path}, ${key.key}, ${requestHash})
    on conflict (principal, method, path, key) do update
      set request_hash = excluded.request_hash, status = null, response = null, created_at = (select db_now())
      where idempotency.created_at < (select db_now()) - interval '24 hours'
    returning key`;
  return rows.length > 0;
}

/**
 * The same for many keys at once. They are taken in a fixed order, so that two requests for the same keys can't deadlock.
 *
 * @returns those that are ours
 */
export async function claimIdempotencyKeys(
  db: Queryable,
  wanted: readonly (IdempotencyKey & { requestHash: Buffer })[],
): Promise<IdempotencyKey[]> {
  const column = (name: keyof IdempotencyKey) => wanted.map((one) => one[name]);
  const hashes = wanted.map(({ requestHash }) => requestHash.toString("hex"));
  return db<IdempotencyKey[]>`
    insert into idempotency (principal, method, path, key, request_hash)
    select distinct on (principal, method, path, key) principal, method, path, key, decode(hash, 'hex')
    from unnest(${column("principal")}::text[], ${column("method")}::text[], ${column("path")}::text[], ${column("key")}::text[], ${hashes}::text[])
      as w (principal, method, path, key, hash)
    order by principal, method, path, key
    on conflict (principal, method, path, key) do update
      set request_hash = excluded.request_hash, status = null, response = null, created_at = (select db_now())
      where idempotency.created_at < (select db_now()) - interval '24 hours'
    returning principal, method, path, key`;
}

export async function findKeptAnswer(db: Queryable, key: IdempotencyKey): Promise<KeptAnswer | undefined> {
  const [row] = await db<KeptAnswer[]>`
    select request_hash as "requestHash", status, response from idempotency
    where principal = ${key.principal} and method = ${key.method} and path = ${key.path} and key = ${key.key}`;
  return row;
}

/** Stores the response under a key that this transaction has claimed. */
export async function keepAnswer(db: Queryable, key: IdempotencyKey, status: number, response: string | null): Promise<void> {
  await db`
    update idempotency set status = ${status}, response = ${response}
    where principal = ${key.principal} and method = ${key.method} and path = ${key.path} and key = ${key.key}`;
}

/** A response to be stored by the statement that performs the request. */
export interface AnswerToKeep extends IdempotencyKey {
  requestHash: Buffer;
  response: string;
}

/**
 * Only the statement, to be embedded into another one: all of that fails (unique_violation) if one of the keys is taken. The keys are
 * inserted in a fixed order, so that two such statements can't deadlock.
 */
export function insertAnswers(db: Queryable, answers: readonly AnswerToKeep[]) {
  const column = (name: keyof IdempotencyKey | "response") => answers.map((answer) => answer[name]);
  const hashes = answers.map(({ requestHash }) => requestHash.toString("hex"));
  return db`
    insert into idempotency (principal, method, path, key, request_hash, status, response)
    select principal, method, path, key, decode(hash, 'hex'), 200, response
    from unnest(${column("principal")}::text[], ${column("method")}::text[], ${column("path")}::text[], ${column("key")}::text[], ${hashes}::text[],
                ${column("response")}::text[]) as a (principal, method, path, key, hash, response)
    order by principal, method, path, key`;
}

/** Releases a key that this transaction has claimed, because its response is not to be stored. */
export async function releaseIdempotencyKey(db: Queryable, key: IdempotencyKey): Promise<void> {
  await db`
    delete from idempotency
    where principal = ${key.principal} and method = ${key.method} and path = ${key.path} and key = ${key.key}`;
}

/** Keys count for 24 hours. */
export async function deleteOldIdempotencyKeys(db: Queryable): Promise<void> {
  await db`delete from idempotency where created_at < (select db_now()) - interval '24 hours'`;
}

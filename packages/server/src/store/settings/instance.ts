import type { Queryable } from "../database/database.ts";

export interface InstanceRow {
  activatedAt: Date | null;
  oneTimeCodeHash: Buffer | null;
}

export async function getInstance(db: Queryable): Promise<InstanceRow> {
  const [row] = await db<InstanceRow[]>`
    select activated_at as "activatedAt", one_time_code_hash as "oneTimeCodeHash" from instance`;
  return row!;
}

/** Identifies this instance by its time of creation: the same for all its processes, and independent of its keys. */
export async function getInstanceCreationTime(db: Queryable): Promise<Date> {
  const [row] = await db<{ createdAt: Date }[]>`select created_at as "createdAt" from instance`;
  return row!.createdAt;
}

/** The same, and nobody else prepares or activates the instance until this transaction ends. */
export async function lockInstance(db: Queryable): Promise<InstanceRow> {
  const [row] = await db<InstanceRow[]>`
    select activated_at as "activatedAt", one_time_code_hash as "oneTimeCodeHash" from instance for update`;
  return row!;
}

/** From now on the instance is active; its one-time code is used up. */
export async function activateInstance(db: Queryable): Promise<void> {
  await db`update instance set activated_at = coalesce(activated_at, (select db_now())), one_time_code_hash = null`;
}

export async function setOneTimeCode(db: Queryable, hash: Buffer): Promise<void> {
  await db`update instance set one_time_code_hash = ${hash}`;
}

/**
 * Records that this instance has had its first start. True for exactly one caller, ever: another one waits here for the first one's
 * transaction, and then finds the row changed.
 */
export async function markSeeded(db: Queryable): Promise<boolean> {
  const rows = await db`update instance set seeded_at = (select db_now()) where seeded_at is null returning singleton`;
  return rows.length > 0;
}

import type { Queryable } from "./database.ts";

/** The fingerprint of the key that this database's secrets are sealed with; null before the first start. */
export async function getKeyFingerprint(db: Queryable): Promise<string | null> {
  const [row] = await db<{ fingerprint: string | null }[]>`select key_fingerprint as "fingerprint" from instance`;
  return row?.fingerprint ?? null;
}

/** Changes it only if it is still what was seen, so that of two first starts with different keys one loses. Answers whether it did. */
export async function replaceKeyFingerprint(db: Queryable, seen: string | null, next: string): Promise<boolean> {
  const rows = await db`
    update instance set key_fingerprint = ${next} where key_fingerprint is not distinct from ${seen} returning singleton as "changed"`;
  return rows.length > 0;
}

import type { Queryable } from "../database/database.ts";

/** Maintenance of all teams at once: encrypts what an older version has stored in clear. */

/**
 * Webhooks of all teams whose address was stored before addresses were encrypted, locked; those that another process has locked are
 * skipped.
 */
export async function listClearWebhooks(db: Queryable, limit: number): Promise<{ id: string; target: Record<string, unknown> }[]> {
  return db<{ id: string; target: Record<string, unknown> }[]>`
    select s.id, s.target from subscription s
    where s.channel = 'webhook' and s.target->>'sealedUrl' is null and s.target->>'url' is not null
    order by s.id limit ${limit} for no key update skip locked`;
}

export async function sealWebhookTarget(db: Queryable, id: string, target: Record<string, unknown>): Promise<void> {
  await db`update subscription set target = ${JSON.stringify(target)}::json where id = ${id}`;
}

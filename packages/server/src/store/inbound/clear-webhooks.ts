import type { Queryable } from "../database/database.ts";

/** Upkeep of all teams at once: what an older version has stored in clear is sealed. */

/** Webhooks of all teams whose address was stored before addresses were sealed, held; what another process holds is passed over. */
export async function listClearWebhooks(db: Queryable, limit: number): Promise<{ id: string; target: Record<string, unknown> }[]> {
  return db<{ id: string; target: Record<string, unknown> }[]>`
    select s.id, s.target from subscription s
    where s.channel = 'webhook' and s.target->>'sealedUrl' is null and s.target->>'url' is not null
    order by s.id limit ${limit} for no key update skip locked`;
}

export async function sealWebhookTarget(db: Queryable, id: string, target: Record<string, unknown>): Promise<void> {
  await db`update subscription set target = ${JSON.stringify(target)}::json where id = ${id}`;
}

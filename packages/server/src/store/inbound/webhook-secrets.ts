import type { Queryable } from "../database/database.ts";

/** Secrets are envelopes. */
export interface WebhookSecretRow {
  secret: string;
  createdAt: Date;
  /** The previous one, while it is valid; otherwise null. */
  previous: string | null;
  previousUntil: Date | null;
  /** The database's current time. */
  now: Date;
}

const columns = (db: Queryable) => db`
  secret, created_at as "createdAt", db_now() as now,
  case when previous_until > (select db_now()) then previous end as previous,
  case when previous_until > (select db_now()) then previous_until end as "previousUntil"`;

/** Undefined if the workflow has none. */
export async function findWebhookSecret(db: Queryable, teamId: string, workflowId: string): Promise<WebhookSecretRow | undefined> {
  const [row] = await db<WebhookSecretRow[]>`
    select ${columns(db)} from webhook_secret where team_id = ${teamId} and workflow_id = ${workflowId}`;
  return row;
}

/**
 * Creates or replaces it; the replaced one stays valid for this time. Concurrent calls are serialized (primary key), and the last one wins.
 */
export async function saveWebhookSecret(
  db: Queryable,
  of: { teamId: string; workflowId: string },
  secret: string,
  previousHours: number,
): Promise<WebhookSecretRow> {
  const [row] = await db<WebhookSecretRow[]>`
    insert into webhook_secret as s (team_id, workflow_id, secret) values (${of.teamId}, ${of.workflowId}, ${secret})
    on conflict (team_id, workflow_id) do update set secret = excluded.secret, created_at = (select db_now()), previous = s.secret,
      previous_until = (select db_now()) + make_interval(hours => ${previousHours})
    returning ${columns(db)}`;
  return row!;
}

/** False if there was none. */
export async function deleteWebhookSecret(db: Queryable, teamId: string, workflowId: string): Promise<boolean> {
  const { count } = await db`delete from webhook_secret where team_id = ${teamId} and workflow_id = ${workflowId}`;
  return count > 0;
}

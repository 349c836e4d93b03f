import type { Keyring } from "../../base/secret/keyring.ts";
import { webhookSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWebhookSecret } from "../../store/inbound/webhook-secrets.ts";

export interface OpenWebhookSecrets {
  /** In clear: one, or for a while two. */
  secrets: string[];
  /** What time it is for the database. */
  now: Date;
}

/** The secrets that webhooks for a workflow may be signed with now; undefined without any. */
export async function openWebhookSecrets(
  db: Queryable,
  keyring: Keyring,
  teamId: string,
  workflowId: string,
): Promise<OpenWebhookSecrets | undefined> {
  const row = await findWebhookSecret(db, teamId, workflowId);
  if (row === undefined) return undefined;
  const sealed = row.previous === null ? [row.secret] : [row.secret, row.previous];
  return { secrets: sealed.map((text) => keyring.openText(text, webhookSecretPlace(teamId, workflowId))), now: row.now };
}

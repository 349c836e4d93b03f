import type { WebhookSecret } from "@millrace/contract/webhook-secret.ts";
import type { WebhookSecretRow } from "../../store/inbound/webhook-secrets.ts";

/** Everything but the secret itself. */
export function viewWebhookSecret(row: WebhookSecretRow | undefined): WebhookSecret {
  if (row === undefined) return { isSet: false };
  const until = row.previousUntil && { previousValidUntil: row.previousUntil.toISOString() };
  return { isSet: true, creationDate: row.createdAt.toISOString(), ...until };
}

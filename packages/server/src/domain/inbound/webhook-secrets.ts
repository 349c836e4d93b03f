import { randomBytes } from "node:crypto";
import type { Keyring } from "../../base/secret/keyring.ts";
import { webhookSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWebhookSecret, saveWebhookSecret, type WebhookSecretRow } from "../../store/inbound/webhook-secrets.ts";
import { noteStartAuthor, type StartAuthor } from "../../store/schedule/start-authors.ts";

export interface OpenWebhookSecrets {
  /** In clear: one, or two for a while. */
  secrets: string[];
  /** The database's current time. */
  now: Date;
}

/** The secrets that may currently sign webhooks for a workflow; undefined if it has none. */
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

/** How long the previous secret stays valid. */
const previousHours = 24;

/** Creates or replaces the secret of a workflow. `text` is the secret in clear, as it is shown once. */
export async function makeWebhookSecret(
  db: Queryable,
  keyring: Keyring,
  { author, ...of }: { teamId: string; workflowId: string; author: StartAuthor },
): Promise<{ text: string; row: WebhookSecretRow }> {
  const text = `whsec_${randomBytes(32).toString("base64")}`;
  const sealed = keyring.sealText(text, webhookSecretPlace(of.teamId, of.workflowId));
  await noteStartAuthor(db, { teamId: of.teamId, kind: "webhook", id: of.workflowId }, author);
  return { text, row: await saveWebhookSecret(db, of, sealed, previousHours) };
}

import type { Keyring } from "../../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { maskWebhookAddress, secretsOfWebhookAddress, type WebhookTarget } from "../../core/outbound/webhook-target.ts";
import { subscriptionAddressPlace, subscriptionSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { listClearWebhooks, sealWebhookTarget } from "../../store/inbound/clear-webhooks.ts";
import type { SubscriptionRow } from "../../store/outbound/subscriptions.ts";

/** All that a webhook needs is in its subscription. */
export async function readWebhookTarget(
  _db: Queryable,
  keyring: Keyring,
  { subscriptionId, target, secrets }: ClaimedDelivery,
): Promise<{ target: WebhookTarget; secrets: string[] }> {
  const place = subscriptionSecretPlace(subscriptionId ?? "");
  const clear = secrets.map((sealed) => keyring.openText(sealed, place));
  const url = openWebhookAddress(keyring, subscriptionId ?? "", target);
  return { target: { url, secrets: clear }, secrets: [...clear, ...(URL.canParse(url) ? secretsOfWebhookAddress(url) : [])] };
}

/** The addresses of webhooks, stored as `{url, sealedUrl}`: what may be shown of it, and the envelope of the whole. */

type Target = SubscriptionRow["target"];

export function sealWebhookAddress(keyring: Keyring, subscriptionId: string, target: Target): Target {
  const url = String(target["url"]);
  return { url: maskWebhookAddress(url), sealedUrl: keyring.sealText(url, subscriptionAddressPlace(subscriptionId)) };
}

/** In clear. One from before addresses were sealed is as it stands. */
export function openWebhookAddress(keyring: Keyring, subscriptionId: string, { url, sealedUrl }: Target): string {
  return typeof sealedUrl === "string" ? keyring.openText(sealedUrl, subscriptionAddressPlace(subscriptionId)) : String(url);
}

/** What may be shown of the target of a subscription. */
export function shownTarget({ channel, target }: Pick<SubscriptionRow, "channel" | "target">): Target {
  if (channel !== "webhook") return target;
  const url = String(target["url"]);
  return { url: target["sealedUrl"] === undefined && URL.canParse(url) ? maskWebhookAddress(url) : url };
}

const atOnce = 200;

/** Seals the addresses that an older version has stored in clear. Any number of processes may do it at once, and be stopped. */
export async function sealClearWebhooks(db: Database, keyring: Keyring): Promise<void> {
  for (let count = atOnce; count === atOnce; ) {
    count = await transaction(db, async (tx) => {
      const clear = await listClearWebhooks(tx, atOnce);
      for (const { id, target } of clear) await sealWebhookTarget(tx, id, sealWebhookAddress(keyring, id, target));
      return clear.length;
    });
  }
}

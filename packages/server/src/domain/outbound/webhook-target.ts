import type { Keyring } from "../../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { maskWebhookAddress, secretsOfWebhookAddress, type WebhookTarget } from "../../core/outbound/webhook-target.ts";
import { subscriptionAddressPlace, subscriptionSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { listClearWebhooks, sealWebhookTarget } from "../../store/inbound/clear-webhooks.ts";
import type { SubscriptionRow } from "../../store/outbound/subscriptions.ts";

/** Everything that a webhook needs is in its subscription. */
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

/** The addresses of webhooks, stored as `{url, sealedUrl}`: the part that may be shown, and the envelope of the whole address. */

type Target = SubscriptionRow["target"];

export function sealWebhookAddress(keyring: Keyring, subscriptionId: string, target: Target): Target {
  const url = String(target["url"]);
  return { url: maskWebhookAddress(url), sealedUrl: keyring.sealText(url, subscriptionAddressPlace(subscriptionId)) };
}

/** In clear. An address from a version that didn't encrypt them is stored as it is. */
export function openWebhookAddress(keyring: Keyring, subscriptionId: string, { url, sealedUrl }: Target): string {
  return typeof sealedUrl === "string" ? keyring.openText(sealedUrl, subscriptionAddressPlace(subscriptionId)) : String(url);
}

/** The part of a subscription's target that may be shown. */
export function shownTarget({ channel, target }: Pick<SubscriptionRow, "channel" | "target">): Target {
  if (channel !== "webhook") return target;
  const url = String(target["url"]);
  return { url: target["sealedUrl"] === undefined && URL.canParse(url) ? maskWebhookAddress(url) : url };
}

const atOnce = 200;

/** Encrypts addresses that an older version stored in clear. Can run in several processes at once, and can be interrupted. */
export async function sealClearWebhooks(db: Database, keyring: Keyring): Promise<void> {
  for (let count = atOnce; count === atOnce; ) {
    count = await transaction(db, async (tx) => {
      const clear = await listClearWebhooks(tx, atOnce);
      for (const { id, target } of clear) await sealWebhookTarget(tx, id, sealWebhookAddress(keyring, id, target));
      return clear.length;
    });
  }
}

import type { Keyring } from "../../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { secretsOfWebhookAddress } from "../../core/outbound/webhook-address.ts";
import type { WebhookTarget } from "../../core/outbound/webhook-target.ts";
import { subscriptionSecretPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { openWebhookAddress } from "./webhook-addresses.ts";

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

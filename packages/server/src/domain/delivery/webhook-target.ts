import type { Keyring } from "../../base/keyring.ts";
import type { ClaimedDelivery } from "../../core/delivery/change-event.ts";
import type { WebhookTarget } from "../../core/delivery/webhook-target.ts";
import { subscriptionSecretPlace } from "../../core/sealed-places.ts";
import type { Queryable } from "../../store/database.ts";

/** All that a webhook needs is in its subscription. */
export async function readWebhookTarget(
  _db: Queryable,
  keyring: Keyring,
  { subscriptionId, target, secrets }: ClaimedDelivery,
): Promise<{ target: WebhookTarget; secrets: string[] }> {
  const place = subscriptionSecretPlace(subscriptionId ?? "");
  const clear = secrets.map((sealed) => keyring.openText(sealed, place));
  return { target: { url: String(target.url), secrets: clear }, secrets: clear };
}

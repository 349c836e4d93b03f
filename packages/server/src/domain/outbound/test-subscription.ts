import { AppError } from "../../base/error/app-error.ts";
import type { Transaction } from "../../store/database/database.ts";
import { insertTestEvent } from "../../store/outbound/change-events.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";
import { type DeliveryRow, listDeliveries } from "../../store/outbound/delivery-query.ts";
import { holdSubscription } from "./require-subscription.ts";

/** Queues an event for this subscription alone, whatever its filters: it goes the way of all others from there. */
export async function testSubscription(
  tx: Transaction,
  team: { id: string; name: string } | null,
  ref: string,
): Promise<{ delivery: DeliveryRow; subscription: { id: string; name: string } }> {
  const subscription = await holdSubscription(tx, team?.id ?? null, ref);
  if (!subscription.isActive) throw new AppError("SUBSCRIPTION_NOT_ACTIVE", [subscription.name]);
  const path = team === null ? "/api/v2/subscription" : `/api/v2/team/${team.id}/subscription`;
  const event = await insertTestEvent(tx, {
    teamId: team?.id ?? null,
    teamName: team?.name ?? null,
    objectId: subscription.id,
    status: "test",
    data: { id: subscription.id, name: subscription.name, link: `${path}/${subscription.id}` },
  });
  const { id, channel } = subscription;
  await insertDeliveries(tx, [{ event, channel, subscriptionId: id, target: null, receiverId: id }]);
  const [delivery] = await listDeliveries(tx, id, undefined, { limit: 1, offset: 0 });
  if (!delivery) throw new Error("the delivery of the test was not written");
  return { delivery, subscription };
}

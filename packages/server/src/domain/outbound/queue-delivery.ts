import type { DeliveryChannel } from "@millrace/contract/delivery.ts";
import type { ChangeEvent } from "../../core/outbound/change-event.ts";
import type { Transaction } from "../../store/database/database.ts";
import { insertDeliveries } from "../../store/outbound/deliveries.ts";

export interface ReactionDelivery {
  channel: DeliveryChannel;
  /** To whom, as the channel's reader of targets understands it; nothing secret. */
  target: Record<string, unknown>;
  /** Who shares a bound of what is under way at once, and suffers together: the team, an installation. */
  receiverId: string;
}

/** Has a reaction's message about an event sent by a channel, in order with those before it for the same run and receiver. */
export async function queueDelivery(tx: Transaction, event: ChangeEvent, { channel, target, receiverId }: ReactionDelivery): Promise<void> {
  await insertDeliveries(tx, [{ event, channel, target, receiverId, subscriptionId: null }]);
}

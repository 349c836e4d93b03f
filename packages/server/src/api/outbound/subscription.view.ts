import type { Delivery } from "@millrace/contract/delivery.ts";
import type { Subscription } from "@millrace/contract/subscription.ts";
import { outboundEvent } from "../../core/outbound/outbound-event.ts";
import { shownTarget } from "../../domain/outbound/webhook-addresses.ts";
import type { DeliveryRow } from "../../store/outbound/delivery-query.ts";
import type { SubscriptionRow } from "../../store/outbound/subscriptions.ts";

/** The secret is empty; members without a value are left out. */
export function viewSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    name: row.name,
    channel: row.channel,
    isActive: row.isActive,
    ...(row.statusMessage !== null && { statusMessage: row.statusMessage }),
    filters: row.filters,
    target: shownTarget(row),
    ...(row.hasSecret && { secret: "", hiddenValue: true }),
    ...(row.oldSecretUntil && { oldSecretUntil: row.oldSecretUntil.toISOString() }),
    creationDate: row.createdAt.toISOString(),
    changeDate: row.changedAt.toISOString(),
  };
}

export function viewDelivery(row: DeliveryRow, publicUrl: string): Delivery {
  return {
    id: row.id,
    channel: row.channel,
    status: row.status,
    attempts: row.attempts,
    creationDate: row.createdAt.toISOString(),
    ...(row.attemptedAt && { attemptDate: row.attemptedAt.toISOString() }),
    ...(row.dueAt && { nextAttemptDate: row.dueAt.toISOString() }),
    ...(row.endedAt && { endDate: row.endedAt.toISOString() }),
    ...(row.lastStatus !== null && { answerStatus: row.lastStatus }),
    ...(row.lastAnswer !== null && { answer: row.lastAnswer }),
    ...(row.lastError !== null && { error: row.lastError }),
    event: outboundEvent(row.event, publicUrl),
  };
}

import type { Delivery } from "@millrace/contract/outbound/delivery.ts";
import type { Subscription } from "@millrace/contract/outbound/subscription.ts";
import Type from "typebox";
import { outboundEvent } from "../../core/outbound/outbound-event.ts";
import { shownTarget } from "../../domain/outbound/webhook-target.ts";
import type { DeliveryRow } from "../../store/outbound/delivery-query.ts";
import type { SubscriptionRow } from "../../store/outbound/subscriptions.ts";
import type { Endpoint, TeamScope } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";

/** Subscriptions belong to a team, below its path, or to the instance: every endpoint exists twice. */
export interface SubscriptionPlace {
  path: string;
  /** Appended to the summaries. */
  of: string;
  /** The parameters of the path. */
  params: { team?: typeof teamParameter };
}

const places = {
  team: { path: "/api/v2/team/:team/subscription", of: "of a team", params: { team: teamParameter } },
  instance: { path: "/api/v2/subscription", of: "of the instance", params: {} },
} as const satisfies Record<string, SubscriptionPlace>;

export function inBothPlaces(define: (place: SubscriptionPlace) => Endpoint): { team: Endpoint; instance: Endpoint } {
  return { team: define(places.team), instance: define(places.instance) };
}

/** @param team undefined if the path has none */
export function scopeOf(team: TeamScope | undefined): string | null {
  return team?.id ?? null;
}

const subscription = Type.String({ maxLength: 400, description: "Name or ID of the subscription", examples: ["failed-runs"] });
const deliveryId = Type.String({ description: "ID of the delivery", examples: ["01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"] });

export const subscriptionParams = ({ params }: SubscriptionPlace) => Type.Object({ ...params, subscription });
export const deliveryParams = ({ params }: SubscriptionPlace) => Type.Object({ ...params, subscription, deliveryId });

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

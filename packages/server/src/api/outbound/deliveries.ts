import { delivery, deliveryPage, deliveryStatuses, replayCount } from "@millrace/contract/outbound/delivery.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { holdSubscription, requireSubscription } from "../../domain/outbound/subscriptions.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { replayDeliveries } from "../../store/outbound/deliveries.ts";
import { countDeliveries, findDelivery, listDeliveries } from "../../store/outbound/delivery-query.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, listOf } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { deliveryParams, inBothPlaces, scopeOf, subscriptionParams, viewDelivery } from "./subscription.view.ts";

export const queryDeliveries = inBothPlaces((place) =>
  defineEndpoint({
    method: "GET",
    path: `${place.path}/:subscription/delivery/query`,
    summary: `Find deliveries of a subscription ${place.of}`,
    description:
      "A page of deliveries with their events, newest first. Kept for the number of days in the setting history/deliveries, 30 by default.",
    tag: "Outgoing events",
    permission: "integration/read",
    transaction: "read",
    params: subscriptionParams(place),
    query: Type.Object({ ...defaultedPageParameters, statuses: listOf(deliveryStatuses, "Default all") }),
    response: ref(deliveryPage),
    async handle({ db, team, params, query: { limit, page, statuses }, services }) {
      const { id } = await requireSubscription(db, scopeOf(team), params.subscription);
      const total = await countDeliveries(db, id, statuses);
      const rows = await listDeliveries(db, id, statuses, { limit, offset: page * limit });
      const views = rows.map((row) => viewDelivery(row, services.runs.publicUrl));
      return viewPage(views, { limit, page, total, sorted: true });
    },
  }),
);

export const replayDelivery = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/delivery/:deliveryId/replay`,
    summary: `Send a delivery of a subscription ${place.of} again`,
    description: "For a dead or delivered one: sends the same event with the same `webhook-id`, and retries for a day.",
    tag: "Outgoing events",
    permission: "integration/write",
    transaction: "write",
    params: deliveryParams(place),
    response: ref(delivery),
    async handle({ db, team, params, services, audit, afterCommit }) {
      const subscription = await holdSubscription(db, scopeOf(team), params.subscription);
      const found = await findDelivery(db, subscription.id, params.deliveryId);
      if (!found) throw new AppError("DELIVERY_INVALID_REF", [params.deliveryId]);
      const count = await replayDeliveries(db, subscription.id, { id: found.id });
      if (count === 0) throw new AppError("DELIVERY_NOT_OVER", [found.id, found.status]);
      audit({ kind: "subscription", id: subscription.id, name: subscription.name, after: { replayed: found.id } });
      afterCommit(() => services.bus.wake(channels.deliveries));
      return viewDelivery((await findDelivery(db, subscription.id, found.id)) ?? found, services.runs.publicUrl);
    },
  }),
);

export const replayDeadDeliveries = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/delivery/replay`,
    summary: `Send all dead deliveries of a subscription ${place.of} again`,
    description: "In the order of their events, for each run.",
    tag: "Outgoing events",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    response: ref(replayCount),
    async handle({ db, team, params, services, audit, afterCommit }) {
      const subscription = await holdSubscription(db, scopeOf(team), params.subscription);
      const count = await replayDeliveries(db, subscription.id, { status: "dead" });
      audit({ kind: "subscription", id: subscription.id, name: subscription.name, after: { replayed: count } });
      afterCommit(() => services.bus.wake(channels.deliveries));
      return { count };
    },
  }),
);

import { holdSubscription } from "../../domain/outbound/require-subscription.ts";
import { deleteSubscription as remove } from "../../store/outbound/subscriptions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, scopeOf, subscriptionParams } from "./subscription-scope.ts";

export const deleteSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "DELETE",
    path: `${place.path}/:subscription`,
    summary: `Delete a subscription ${place.of}, with its deliveries`,
    description: "Queued deliveries are not sent. To pause it instead, set `isActive` to false.",
    tag: "Events out",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    response: null,
    async handle({ db, team, params, audit }) {
      const subscription = await holdSubscription(db, scopeOf(team), params.subscription);
      await remove(db, scopeOf(team), subscription.id);
      audit({ kind: "subscription", id: subscription.id, name: subscription.name, before: viewSubscription(subscription) });
    },
  }),
);

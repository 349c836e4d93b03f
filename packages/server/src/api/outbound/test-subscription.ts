import { delivery } from "@millrace/contract/delivery.ts";
import { ref } from "@millrace/contract/schema.ts";
import { testSubscription as test } from "../../domain/outbound/test-subscription.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewDelivery } from "./subscription.view.ts";
import { inBothPlaces, subscriptionParams } from "./subscription-scope.ts";

export const testSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/test`,
    summary: `Send a test event to a subscription ${place.of}`,
    description:
      "Sends an event of the type `dev.millrace.subscription.test` at once, like any other event but regardless of the filters. The response is its delivery; " +
      "`delivery/query` shows its progress.",
    tag: "Events out",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    response: ref(delivery),
    async handle({ db, team, params, services, audit, afterCommit }) {
      const { delivery, subscription } = await test(db, team ?? null, params.subscription);
      audit({ kind: "subscription", id: subscription.id, name: subscription.name, after: { testedWith: delivery.id } });
      afterCommit(() => services.bus.wake(channels.deliveries));
      return viewDelivery(delivery, services.runs.publicUrl);
    },
  }),
);

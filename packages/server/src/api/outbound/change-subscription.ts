import { ref } from "@millrace/contract/schema.ts";
import { subscription, subscriptionChange } from "@millrace/contract/subscription.ts";
import { changeSubscription as change } from "../../domain/outbound/save-subscription.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, type SubscriptionPlace, scopeOf, subscriptionParams } from "./subscription-scope.ts";

export const changeSubscription = inBothPlaces((place) =>
  defineChange(place, "PATCH", `Change a subscription ${place.of}`, "Members that are left out don't change."),
);

export const replaceSubscription = inBothPlaces((place) =>
  defineChange(
    place,
    "PUT",
    `Replace a subscription ${place.of}`,
    "Members that are left out get their default; `name` and `target` are required.",
  ),
);

function defineChange(place: SubscriptionPlace, method: "PATCH" | "PUT", summary: string, how: string) {
  return defineEndpoint({
    method,
    path: `${place.path}/:subscription`,
    summary,
    description: `${how} The channel can't be changed. Rotate the secret to change it; another \`target.url\` requires the secret in the same request. With \`isActive\` false no events are recorded or sent, and queued deliveries wait.`,
    tag: "Events out",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    body: ref(subscriptionChange),
    response: ref(subscription),
    async handle({ db, team, params, body, keyring, services, audit, afterCommit }) {
      const { before, after } = await change(db, { teamId: scopeOf(team), keyring }, params.subscription, body, method === "PUT");
      const view = viewSubscription(after);
      audit({ kind: "subscription", id: view.id, name: view.name, before: viewSubscription(before), after: view });
      afterCommit(() => {
        services.bus.wake(channels.events);
        services.bus.wake(channels.deliveries);
      });
      return view;
    },
  });
}

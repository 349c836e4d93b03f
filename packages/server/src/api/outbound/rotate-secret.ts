import { ref } from "@millrace/contract/schema.ts";
import { subscription, subscriptionSecret } from "@millrace/contract/subscription.ts";
import { rotateSubscriptionSecret } from "../../domain/outbound/save-subscription.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, scopeOf, subscriptionParams } from "./subscription-scope.ts";

export const rotateSecret = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/rotate`,
    summary: `Give a subscription ${place.of} a new secret`,
    description:
      "The secret is only in this response. For 24 hours each webhook has two signatures: of the new secret and of the previous one.",
    tag: "Events out",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    body: ref(subscriptionSecret),
    bodyOptional: true,
    response: ref(subscription),
    async handle({ db, team, params, principal, body, keyring, audit }) {
      const scope = { teamId: scopeOf(team), keyring, principalId: principal.id };
      const { subscription, secret } = await rotateSubscriptionSecret(db, scope, params.subscription, body?.secret);
      const view = viewSubscription(subscription);
      audit({ kind: "subscription", id: view.id, name: view.name, after: view });
      return { ...view, secret, hiddenValue: false };
    },
  }),
);

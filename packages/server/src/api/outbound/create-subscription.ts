import { ref } from "@millrace/contract/schema.ts";
import { subscription, subscriptionInput } from "@millrace/contract/subscription.ts";
import Type from "typebox";
import { createSubscription as create } from "../../domain/outbound/save-subscription.ts";
import { channels } from "../../domain/run/wake-for-changes.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, scopeOf } from "./subscription-scope.ts";

export const createSubscription = inBothPlaces(({ path, of, params }) =>
  defineEndpoint({
    method: "POST",
    path,
    summary: `Create a subscription ${of}`,
    description:
      "From now on, events that match its filters are sent to its target: docs/outbound-events.md. The secret that signs webhooks is only in this " +
      "response.",
    tag: "Events out",
    permission: "integration/write",
    transaction: "write",
    params: Type.Object(params),
    body: ref(subscriptionInput),
    response: ref(subscription),
    async handle({ db, team, principal, body, keyring, services, audit, afterCommit }) {
      const scope = { teamId: scopeOf(team), keyring, principalId: principal.id };
      const { subscription, secret } = await create(db, scope, body);
      const view = viewSubscription(subscription);
      audit({ kind: "subscription", id: view.id, name: view.name, after: view });
      afterCommit(() => services.bus.wake(channels.events));
      return secret === undefined ? view : { ...view, secret, hiddenValue: false };
    },
  }),
);

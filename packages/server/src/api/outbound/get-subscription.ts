import { ref } from "@millrace/contract/schema.ts";
import { subscription } from "@millrace/contract/subscription.ts";
import { requireSubscription } from "../../domain/outbound/require-subscription.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, scopeOf, subscriptionParams } from "./subscription-scope.ts";

export const getSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "GET",
    path: `${place.path}/:subscription`,
    summary: `Read a subscription ${place.of}`,
    tag: "Events out",
    permission: "integration/read",
    transaction: "read",
    params: subscriptionParams(place),
    response: ref(subscription),
    handle: async ({ db, team, params }) => viewSubscription(await requireSubscription(db, scopeOf(team), params.subscription)),
  }),
);

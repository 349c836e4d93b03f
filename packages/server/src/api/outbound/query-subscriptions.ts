import { ref } from "@millrace/contract/schema.ts";
import { subscriptionPage } from "@millrace/contract/subscription.ts";
import Type from "typebox";
import { countSubscriptions, listSubscriptions } from "../../store/outbound/subscriptions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewSubscription } from "./subscription.view.ts";
import { inBothPlaces, scopeOf } from "./subscription-scope.ts";

export const querySubscriptions = inBothPlaces(({ path, of, params }) =>
  defineEndpoint({
    method: "GET",
    path: `${path}/query`,
    summary: `Find subscriptions ${of}`,
    description: "A page of subscriptions, by date of creation.",
    tag: "Events out",
    permission: "integration/read",
    transaction: "read",
    params: Type.Object(params),
    query: Type.Object(defaultedPageParameters),
    response: ref(subscriptionPage),
    async handle({ db, team, query: { limit, page } }) {
      const total = await countSubscriptions(db, scopeOf(team));
      const rows = await listSubscriptions(db, scopeOf(team), { limit, offset: page * limit });
      return viewPage(rows.map(viewSubscription), { limit, page, total, sorted: true });
    },
  }),
);

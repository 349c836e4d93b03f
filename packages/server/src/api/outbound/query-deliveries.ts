import { deliveryPage, deliveryStatuses } from "@millrace/contract/delivery.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { requireSubscription } from "../../domain/outbound/require-subscription.ts";
import { countDeliveries, listDeliveries } from "../../store/outbound/delivery-query.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters, listOf } from "../query-parameters.ts";
import { viewPage } from "../view-page.ts";
import { viewDelivery } from "./subscription.view.ts";
import { inBothPlaces, scopeOf, subscriptionParams } from "./subscription-scope.ts";

export const queryDeliveries = inBothPlaces((place) =>
  defineEndpoint({
    method: "GET",
    path: `${place.path}/:subscription/delivery/query`,
    summary: `Find deliveries of a subscription ${place.of}`,
    description: "A page of deliveries with their events, newest first. Kept for the number of days in the setting history/deliveries, 30 by default.",
    tag: "Events out",
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

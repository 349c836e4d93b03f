import { delivery } from "@millrace/contract/outbound/delivery.ts";
import {
  subscription,
  subscriptionChange,
  subscriptionInput,
  subscriptionPage,
  subscriptionSecret,
} from "@millrace/contract/outbound/subscription.ts";
import { ref } from "@millrace/contract/schema.ts";
import Type from "typebox";
import {
  changeSubscription as change,
  createSubscription as create,
  holdSubscription,
  requireSubscription,
  rotateSubscriptionSecret,
  testSubscription as test,
} from "../../domain/outbound/subscriptions.ts";
import { channels } from "../../domain/run/report-changes.ts";
import { countSubscriptions, listSubscriptions, deleteSubscription as remove } from "../../store/outbound/subscriptions.ts";
import { defineEndpoint } from "../endpoint.ts";
import { defaultedPageParameters } from "../request-parameters.ts";
import { viewPage } from "../view-page.ts";
import { inBothPlaces, type SubscriptionPlace, scopeOf, subscriptionParams, viewDelivery, viewSubscription } from "./subscription.view.ts";

export const querySubscriptions = inBothPlaces(({ path, of, params }) =>
  defineEndpoint({
    method: "GET",
    path: `${path}/query`,
    summary: `Find subscriptions ${of}`,
    description: "A page of subscriptions, by date of creation.",
    tag: "Outgoing events",
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

export const getSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "GET",
    path: `${place.path}/:subscription`,
    summary: `Read a subscription ${place.of}`,
    tag: "Outgoing events",
    permission: "integration/read",
    transaction: "read",
    params: subscriptionParams(place),
    response: ref(subscription),
    handle: async ({ db, team, params }) => viewSubscription(await requireSubscription(db, scopeOf(team), params.subscription)),
  }),
);

export const createSubscription = inBothPlaces(({ path, of, params }) =>
  defineEndpoint({
    method: "POST",
    path,
    summary: `Create a subscription ${of}`,
    description:
      "From now on, events that match its filters are sent to its target: docs/outbound-events.md. The secret that signs webhooks is only in this " +
      "response.",
    tag: "Outgoing events",
    permission: "integration/write",
    transaction: "write",
    params: Type.Object(params),
    documentKinds: ["Subscription"],
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
    tag: "Outgoing events",
    permission: "integration/write",
    transaction: "write",
    params: subscriptionParams(place),
    documentKinds: ["Subscription"],
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

export const deleteSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "DELETE",
    path: `${place.path}/:subscription`,
    summary: `Delete a subscription ${place.of}, with its deliveries`,
    description: "Queued deliveries are not sent. To pause it instead, set `isActive` to false.",
    tag: "Outgoing events",
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

export const rotateSecret = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/rotate`,
    summary: `Give a subscription ${place.of} a new secret`,
    description:
      "The secret is only in this response. For 24 hours each webhook has two signatures: of the new secret and of the previous one.",
    tag: "Outgoing events",
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

export const testSubscription = inBothPlaces((place) =>
  defineEndpoint({
    method: "POST",
    path: `${place.path}/:subscription/test`,
    summary: `Send a test event to a subscription ${place.of}`,
    description:
      "Sends an event of the type `dev.millrace.subscription.test` at once, like any other event but regardless of the filters. The response is its delivery; " +
      "`delivery/query` shows its progress.",
    tag: "Outgoing events",
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

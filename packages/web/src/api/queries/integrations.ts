import type { components } from "@millrace/client/schema.generated.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, call } from "../client.ts";

export type Subscription = components["schemas"]["Subscription"];
export type SubscriptionInput = components["schemas"]["SubscriptionInput"];
export type EventFilter = components["schemas"]["EventFilter"];
export type Delivery = components["schemas"]["Delivery"];
export type DeliveryStatus = Delivery["status"];

/** Everything about outgoing events, once for a team and once for the instance: the same words below two paths. */
const ofTeam = "/api/v2/team/{team}/subscription";
const ofInstance = "/api/v2/subscription";

export const deliveriesPageSize = 25;

export const subscriptionsQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ["subscriptions", team ?? "**"],
    queryFn: () =>
      team === undefined
        ? call(api.GET(`${ofInstance}/query`, { params: { query: { limit: 100, page: 0 } } }))
        : call(api.GET(`${ofTeam}/query`, { params: { path: { team }, query: { limit: 100, page: 0 } } })),
  });

/** The stream of changes reports when a delivery changes. */
export const deliveriesQuery = (team: string | undefined, subscription: string, filter: { statuses: DeliveryStatus[]; page: number }) =>
  queryOptions({
    queryKey: ["deliveries", team ?? "**", subscription, filter],
    queryFn: () => {
      const query = { limit: deliveriesPageSize, page: filter.page, ...(filter.statuses.length > 0 && { statuses: filter.statuses }) };
      return team === undefined
        ? call(api.GET(`${ofInstance}/{subscription}/delivery/query`, { params: { path: { subscription }, query } }))
        : call(api.GET(`${ofTeam}/{subscription}/delivery/query`, { params: { path: { team, subscription }, query } }));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const createSubscription = (team: string | undefined, body: SubscriptionInput) =>
  team === undefined ? call(api.POST(ofInstance, { body })) : call(api.POST(ofTeam, { params: { path: { team } }, body }));

export const changeSubscription = (team: string | undefined, subscription: string, body: components["schemas"]["SubscriptionChange"]) =>
  team === undefined
    ? call(api.PATCH(`${ofInstance}/{subscription}`, { params: { path: { subscription } }, body }))
    : call(api.PATCH(`${ofTeam}/{subscription}`, { params: { path: { team, subscription } }, body }));

export const deleteSubscription = (team: string | undefined, subscription: string) =>
  team === undefined
    ? call(api.DELETE(`${ofInstance}/{subscription}`, { params: { path: { subscription } } }))
    : call(api.DELETE(`${ofTeam}/{subscription}`, { params: { path: { team, subscription } } }));

export const testSubscription = (team: string | undefined, subscription: string) =>
  team === undefined
    ? call(api.POST(`${ofInstance}/{subscription}/test`, { params: { path: { subscription } } }))
    : call(api.POST(`${ofTeam}/{subscription}/test`, { params: { path: { team, subscription } } }));

export const rotateSecret = (team: string | undefined, subscription: string) =>
  team === undefined
    ? call(api.POST(`${ofInstance}/{subscription}/rotate`, { params: { path: { subscription } }, body: {} }))
    : call(api.POST(`${ofTeam}/{subscription}/rotate`, { params: { path: { team, subscription } }, body: {} }));

export const replayDelivery = (team: string | undefined, subscription: string, deliveryId: string) =>
  team === undefined
    ? call(api.POST(`${ofInstance}/{subscription}/delivery/{deliveryId}/replay`, { params: { path: { subscription, deliveryId } } }))
    : call(api.POST(`${ofTeam}/{subscription}/delivery/{deliveryId}/replay`, { params: { path: { team, subscription, deliveryId } } }));

export const replayDead = (team: string | undefined, subscription: string) =>
  team === undefined
    ? call(api.POST(`${ofInstance}/{subscription}/delivery/replay`, { params: { path: { subscription } } }))
    : call(api.POST(`${ofTeam}/{subscription}/delivery/replay`, { params: { path: { team, subscription } } }));

export type Integration = components["schemas"]["Integration"];

export const integrationsQuery = (team: string) =>
  queryOptions({
    queryKey: ["integrations", team],
    queryFn: () => call(api.GET("/api/v2/integration", { params: { query: { team } } })),
  });

/** The codehost installation that the team is linked to, as the platform currently describes it. */
export const installationQuery = (team: string) =>
  queryOptions({
    queryKey: ["installation", team],
    queryFn: () => call(api.GET("/api/v2/integration/codehost/installation", { params: { query: { team } } })),
    retry: false,
  });

/** All workspaces of the instance, for its administrators. */
export const workspacesQuery = queryOptions({
  queryKey: ["chat-workspaces"],
  queryFn: () => call(api.GET("/api/v2/integration/chat/workspace")),
});

import Type from "typebox";
import type { Endpoint, TeamScope } from "../endpoint.ts";
import { teamParameter } from "../team-path.ts";

/** Subscriptions are a team's, below its path, or the instance's: every endpoint is there twice. */
export interface SubscriptionPlace {
  path: string;
  /** Follows the summaries. */
  of: string;
  /** The parameters of the path. */
  params: { team?: typeof teamParameter };
}

const places = {
  team: { path: "/api/v2/team/:team/subscription", of: "of a team", params: { team: teamParameter } },
  instance: { path: "/api/v2/subscription", of: "of the instance", params: {} },
} as const satisfies Record<string, SubscriptionPlace>;

export function inBothPlaces(define: (place: SubscriptionPlace) => Endpoint): { team: Endpoint; instance: Endpoint } {
  return { team: define(places.team), instance: define(places.instance) };
}

/** @param team undefined where the path has none */
export function scopeOf(team: TeamScope | undefined): string | null {
  return team?.id ?? null;
}

const subscription = Type.String({ maxLength: 400, description: "Name or ID of the subscription", examples: ["failed-runs"] });
const deliveryId = Type.String({ description: "ID of the delivery", examples: ["01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"] });

export const subscriptionParams = ({ params }: SubscriptionPlace) => Type.Object({ ...params, subscription });
export const deliveryParams = ({ params }: SubscriptionPlace) => Type.Object({ ...params, subscription, deliveryId });

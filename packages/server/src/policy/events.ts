import type { Principal } from "../api/endpoint.ts";
import { allows } from "./allows.ts";

/** Ids of the teams that the principal may deliver events to; undefined when it may in all. */
export function teamsTriggeredBy(principal: Principal): string[] | undefined {
  if (allows(principal, "webhook/action")) return undefined;
  return [...principal.teams.keys()].filter((teamId) => allows(principal, "webhook/action", teamId));
}

/** Ids of the teams that exist for the principal; undefined for all. */
export function teamsSeenBy(principal: Principal): string[] | undefined {
  if (principal.permissions.length > 0) return undefined;
  return [...principal.teams].filter(([, permissions]) => permissions.length > 0).map(([teamId]) => teamId);
}

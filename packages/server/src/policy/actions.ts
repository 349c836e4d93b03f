import { holds } from "@millrace/contract/permission.ts";
import type { Principal } from "../api/endpoint.ts";
import { allows, isPerson } from "./allows.ts";

/**
 * Which actions of a team the principal may vote on. Who may act on actions votes on all that name no approver group. To be in an
 * approver group is enough for the actions of that group, whatever role the person has; a token that was narrowed must permit it still.
 */
export function votingReach(principal: Principal, teamId: string): "all" | "approver groups" | "none" {
  if (allows(principal, "action/action", teamId)) return "all";
  const isNarrowed = principal.limit !== undefined && !holds(principal.limit, "action/action");
  return isPerson(principal) && !isNarrowed ? "approver groups" : "none";
}

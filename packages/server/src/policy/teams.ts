import type { TeamRole } from "@millrace/contract/identity/user.ts";
import { holds } from "@millrace/contract/permission.ts";
import type { Permission, Principal } from "../api/endpoint.ts";
import { allows, isPerson, permissionsInTeam } from "./allows.ts";
import { covers, teamRolePermissions } from "./permissions.ts";

/** Every person may, unless their token is limited further; a token that acts as itself needs the permission for all teams. */
export function mayCreateTeam(principal: Principal): boolean {
  if (!isPerson(principal)) return allows(principal, "team/write");
  return principal.limit === undefined || holds(principal.limit, "team/write");
}

/** Every member may, unless their token is limited further. */
export function mayLeaveTeam(principal: Principal): boolean {
  return principal.limit === undefined || holds(principal.limit, "team/action");
}

/** Nobody gives or takes a role that permits more than their own. */
export function mayGrantRole(principal: Principal, teamId: string, role: TeamRole): boolean {
  const held = permissionsInTeam(principal, teamId);
  return teamRolePermissions[role].every((permission) => covers(held, permission));
}

/** Who may invite people, by the setting `invitations/by`. */
export type Inviters = "owners" | "administrators";

/**
 * Undefined if the principal may invite people to the team, otherwise a sentence with the reason.
 * @param teamId undefined: a team that the principal is about to create
 */
export function inviteRefusal(principal: Principal, teamId: string | undefined, by: Inviters): string | undefined {
  if (mayOptIn(principal)) return undefined;
  if (by === "administrators") return "only administrators can invite people to this instance (setting invitations/by); ask one of them";
  if (teamId === undefined || allows(principal, "team/grant", teamId)) return undefined;
  return "only owners of the team and administrators can invite people; ask an owner, or add someone who has an account by their user ID";
}

/** Only owners and administrators decide who approves: an editor who could join a group could approve their own work. */
export function mayChangeApproverGroups(principal: Principal, teamId: string): boolean {
  return allows(principal, "team/grant", teamId);
}

/** Whether quotas above the instance's default may be granted: that is decided for the instance, not by the team. */
export function mayRaiseQuotas(principal: Principal): boolean {
  return allows(principal, "team/write");
}

/** Whether a team may be granted the operator's resources, such as the network of the machine and privileges: administrators only. */
export function mayOptIn(principal: Principal): boolean {
  return allows(principal, "system/delete");
}

/** Ids of the teams that the principal may read; undefined when it may read all. */
export function teamsReadBy(principal: Principal): string[] | undefined {
  return teamsAllowing(principal, "team/read");
}

/** Ids of the teams in which the principal has the permission; undefined if in all. */
export function teamsAllowing(principal: Principal, permission: Permission): string[] | undefined {
  if (allows(principal, permission)) return undefined;
  return [...principal.teams.keys()].filter((teamId) => allows(principal, permission, teamId));
}

/** Comments of others can only be changed by those who may do everything in the team. */
export function mayDeleteComments(principal: Principal, teamId: string): boolean {
  return allows(principal, "team/delete", teamId);
}

/** The team's shared views of the list of runs can be changed by its editors, like its workflows. */
export function mayChangeTeamViews(principal: Principal, teamId: string): boolean {
  return allows(principal, "workflow/write", teamId);
}

/** Fewer days permanently delete history. */
export function mayChangeRetention(principal: Principal, teamId: string): boolean {
  return allows(principal, "team/delete", teamId);
}

/**
 * Which actions of a team the principal may vote on. The permission to act on actions covers all without an approver group. Membership in
 * an approver group is enough for the actions of that group, regardless of the person's role; a limited token must permit it as well.
 */
export function votingReach(principal: Principal, teamId: string): "all" | "approver groups" | "none" {
  if (allows(principal, "action/action", teamId)) return "all";
  const isNarrowed = principal.limit !== undefined && !holds(principal.limit, "action/action");
  return isPerson(principal) && !isNarrowed ? "approver groups" : "none";
}

/** Ids of the teams that the principal may deliver events to; undefined if to all. */
export function teamsTriggeredBy(principal: Principal): string[] | undefined {
  if (allows(principal, "webhook/action")) return undefined;
  return [...principal.teams.keys()].filter((teamId) => allows(principal, "webhook/action", teamId));
}

/** Ids of the teams that exist for the principal; undefined for all. */
export function teamsSeenBy(principal: Principal): string[] | undefined {
  if (principal.permissions.length > 0) return undefined;
  return [...principal.teams].filter(([, permissions]) => permissions.length > 0).map(([teamId]) => teamId);
}

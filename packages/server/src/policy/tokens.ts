import { holds } from "@millrace/contract/permission.ts";
import type { Principal } from "../api/endpoint.ts";
import { allows, permissionsInTeam } from "./allows.ts";
import { covers } from "./permissions.ts";

/** Whom a token acts as. */
export type TokenOwner =
  | { kind: "global" }
  | { kind: "team"; teamId: string }
  | { kind: "workflow"; teamId: string; workflowId: string }
  | { kind: "user" | "session"; userId: string };

const everything = "**/**";

/**
 * A token is never minted wider than its maker. Undefined when the principal may mint it, else a sentence that says why not.
 * Tokens for another user need every permission, since that user's roles may grow.
 */
export function mintRefusal(principal: Principal, owner: TokenOwner, permissions: readonly string[]): string | undefined {
  if (!mayOnToken(principal, "token/write", owner)) return `creating a ${owner.kind} token for that principal needs token/write there`;
  const held = heldFor(principal, owner);
  const tooWide = permissions.find((permission) => !covers(held, permission));
  return tooWide === undefined ? undefined : `${tooWide} is more than your own permissions`;
}

/**
 * Tasks that a token names are a separate grant, because a claim gets the secrets of its task run. A principal without a list, but with the
 * permission, may grant any; a token with a list can't grant more than that. Undefined if allowed, otherwise a sentence with the reason.
 */
export function tasksRefusal(
  principal: Principal,
  owner: TokenOwner,
  permissions: readonly string[],
  tasks: readonly string[],
): string | undefined {
  if (tasks.length === 0) return undefined;
  if (!holds(permissions, claimPermission)) return `a token with tasks needs the permission ${claimPermission}`;
  if (owner.kind === "workflow") return "a workflow token can't claim external tasks; create a token of its team";
  const more = principal.tasks && tasks.find((task) => !mayClaim(principal, task));
  return more === undefined ? undefined : `task ${more} is not among the tasks of your own token`;
}

const claimPermission = "externaltask/action";

/** Whether the token names that task. A token without names can claim none. */
export function mayClaim({ tasks = [] }: Principal, task: string): boolean {
  return tasks.includes("*") || tasks.includes(task);
}

/** Whether the principal may manage tokens of this owner. Everyone may manage their own tokens, as far as the credential permits. */
export function mayOnToken(principal: Principal, permission: "token/read" | "token/write" | "token/delete", owner: TokenOwner): boolean {
  if (principal.workflowId !== undefined) return false;
  if (owner.kind === "global") return allows(principal, permission);
  if (owner.kind === "team" || owner.kind === "workflow") return allows(principal, permission, owner.teamId);
  if (owner.userId === principal.userId) return principal.limit === undefined || holds(principal.limit, permission);
  return permission === "token/write" ? covers(principal.permissions, everything) : allows(principal, permission);
}

function heldFor(principal: Principal, owner: TokenOwner): readonly string[] {
  if (owner.kind === "global") return principal.permissions;
  if (owner.kind === "team" || owner.kind === "workflow") return permissionsInTeam(principal, owner.teamId);
  return principal.limit ?? [everything];
}

/** Whose tokens the principal may list: all of them, or those of these teams and their own. */
export function tokensReadBy(principal: Principal): { teamIds: string[]; userId: string | undefined } | "all" {
  if (allows(principal, "token/read")) return "all";
  const teamIds = [...principal.teams.keys()].filter((teamId) => allows(principal, "token/read", teamId));
  const seesOwn = principal.limit === undefined || holds(principal.limit, "token/read");
  return { teamIds, userId: seesOwn ? principal.userId : undefined };
}

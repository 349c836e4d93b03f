import type { TeamRole, UserType } from "@millrace/contract/identity/user.ts";
import { permissionActions as actions, holds, permissionResources as resources, splitPermission } from "@millrace/contract/permission.ts";

/** Computes with permissions; whether one is held is decided by the rule in the contract. Pure. */

/** Undefined if the text is a permission, otherwise a sentence with what is wrong with it. */
export function permissionFault(text: string): string | undefined {
  const [resource, action, ...rest] = text.split("/");
  if (action === undefined || rest.length > 0) return "it must be resource/action";
  if (resource !== "**" && !(resources as readonly string[]).includes(resource ?? "")) {
    return `the resource must be ** or one of ${resources.join(", ")}`;
  }
  if (action !== "**" && !(actions as readonly string[]).includes(action)) return `the action must be ** or one of ${actions.join(", ")}`;
  return undefined;
}

/** True if everything that `wanted` (wildcards allowed) permits is permitted by the held ones together. */
export function covers(held: readonly string[], wanted: string): boolean {
  return concrete(wanted).every((permission) => holds(held, permission));
}

/** What both lists permit. */
export function intersect(some: readonly string[], others: readonly string[]): string[] {
  const both = some.flatMap((a) => others.map((b) => meet(a, b))).filter((permission) => permission !== undefined);
  return [...new Set(both)];
}

function meet(a: string, b: string): string | undefined {
  const [resourceA, actionA] = splitPermission(a);
  const [resourceB, actionB] = splitPermission(b);
  const resource = meetPart(resourceA, resourceB);
  const action = meetPart(actionA, actionB);
  return resource === undefined || action === undefined ? undefined : `${resource}/${action}`;
}

function meetPart(a: string, b: string): string | undefined {
  if (a === "**") return b;
  return b === "**" || a === b ? a : undefined;
}

function concrete(pattern: string): string[] {
  const [resource, action] = splitPermission(pattern);
  const ofResources = resource === "**" ? resources : [resource];
  const ofActions = action === "**" ? actions : [action];
  return ofResources.flatMap((r) => ofActions.map((a) => `${r}/${a}`));
}

/** What each role permits (reference-api 1.9.5). A team role grants nothing outside its team. */
export const teamRolePermissions: Readonly<Record<TeamRole, readonly string[]>> = {
  owner: ["**/**"],
  editor: ["**/read", "**/write", "**/action"],
  reader: ["**/read"],
};

export const teamRoleDescriptions: Readonly<Record<TeamRole, string>> = {
  owner: "Can do everything in the team",
  editor: "Can read, create, change and run everything in the team, but can't delete or manage approver groups",
  reader: "Can read everything in the team",
};

/** Instance-wide permissions by type of user; all other types have none. */
export function instancePermissions(type: UserType): readonly string[] {
  if (type === "admin") return ["**/**"];
  return type === "operator" ? ["**/read", "**/write", "**/action"] : [];
}

/**
 * Permissions are `resource/action`; either part may be `**`. A list of them is the union. Pure.
 */
export const resources = [
  "system",
  "workflow",
  "workflowrun",
  "workflowtemplate",
  "taskrun",
  "task",
  "action",
  "user",
  "team",
  "token",
  "parameter",
  "schedule",
  "insights",
  "integration",
  "webhook",
] as const;

/** `grant`: to decide who decides. It is a word of its own so that neither `write` nor `delete` of anything permits it. */
export const actions = ["read", "write", "delete", "action", "grant"] as const;

/** Undefined when the text is a permission, else a sentence that says what is wrong with it. */
export function permissionFault(text: string): string | undefined {
  const [resource, action, ...rest] = text.split("/");
  if (action === undefined || rest.length > 0) return "it must be resource/action";
  if (resource !== "**" && !(resources as readonly string[]).includes(resource ?? "")) {
    return `the resource must be ** or one of ${resources.join(", ")}`;
  }
  if (action !== "**" && !(actions as readonly string[]).includes(action)) return `the action must be ** or one of ${actions.join(", ")}`;
  return undefined;
}

/** True when the held permissions contain that one. `wanted` has no wildcard. */
export function holds(held: readonly string[], wanted: string): boolean {
  return held.some((pattern) => matches(pattern, wanted));
}

/** True when everything that `wanted` (wildcards allowed) permits is permitted by the held ones together. */
export function covers(held: readonly string[], wanted: string): boolean {
  return concrete(wanted).every((permission) => holds(held, permission));
}

/** What both lists permit. */
export function intersect(some: readonly string[], others: readonly string[]): string[] {
  const both = some.flatMap((a) => others.map((b) => meet(a, b))).filter((permission) => permission !== undefined);
  return [...new Set(both)];
}

function matches(pattern: string, wanted: string): boolean {
  if (pattern === "**/**" || pattern === wanted) return true;
  const [resource, action] = split(pattern);
  const [wantedResource, wantedAction] = split(wanted);
  return (resource === "**" || resource === wantedResource) && (action === "**" || action === wantedAction);
}

function meet(a: string, b: string): string | undefined {
  const [resourceA, actionA] = split(a);
  const [resourceB, actionB] = split(b);
  const resource = meetPart(resourceA, resourceB);
  const action = meetPart(actionA, actionB);
  return resource === undefined || action === undefined ? undefined : `${resource}/${action}`;
}

function meetPart(a: string, b: string): string | undefined {
  if (a === "**") return b;
  return b === "**" || a === b ? a : undefined;
}

function concrete(pattern: string): string[] {
  const [resource, action] = split(pattern);
  const ofResources = resource === "**" ? resources : [resource];
  const ofActions = action === "**" ? actions : [action];
  return ofResources.flatMap((r) => ofActions.map((a) => `${r}/${a}`));
}

function split(permission: string): [string, string] {
  const slash = permission.indexOf("/");
  return [permission.slice(0, slash), permission.slice(slash + 1)];
}

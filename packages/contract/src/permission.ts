/**
 * Permissions are `resource/action`; either part may be `**`. A list of them is the union. The server decides by this rule, and the
 * browser asks it which buttons will work.
 */
export const permissionResources = [
  "system",
  "workflow",
  "workflowrun",
  "workflowtemplate",
  "taskrun",
  "task",
  "externaltask",
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
export type PermissionResource = (typeof permissionResources)[number];

/** `grant`: to decide who has permissions. It is a separate word so that neither `write` nor `delete` of any resource includes it. */
export const permissionActions = ["read", "write", "delete", "action", "grant"] as const;
export type PermissionAction = (typeof permissionActions)[number];

/** True if the given permissions include the wanted one, which has no wildcard. */
export function holds(held: readonly string[], wanted: string): boolean {
  return held.some((pattern) => matches(pattern, wanted));
}

function matches(pattern: string, wanted: string): boolean {
  if (pattern === "**/**" || pattern === wanted) return true;
  const [resource, action] = splitPermission(pattern);
  const [wantedResource, wantedAction] = splitPermission(wanted);
  return (resource === "**" || resource === wantedResource) && (action === "**" || action === wantedAction);
}

/** The resource and the action. */
export function splitPermission(permission: string): [string, string] {
  const slash = permission.indexOf("/");
  return [permission.slice(0, slash), permission.slice(slash + 1)];
}

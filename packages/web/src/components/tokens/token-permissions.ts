import type { PermissionAction, PermissionResource } from "@millrace/contract/permission.ts";
import { t } from "../../texts/identity/tokens.ts";

const namesOfResources: Readonly<Record<PermissionResource, string>> = {
  workflow: t("tokenPermissions.workflows"),
  workflowrun: t("tokenPermissions.runs"),
  taskrun: t("tokenPermissions.taskRuns"),
  action: t("tokenPermissions.approvalsManualTasks"),
  schedule: t("tokenPermissions.schedules"),
  task: t("tokenPermissions.tasksTeam"),
  externaltask: t("tokenPermissions.externalTasks"),
  insights: t("tokenPermissions.insights"),
  webhook: t("tokenPermissions.events"),
  integration: t("tokenPermissions.integrationsEventsOut"),
  parameter: t("tokenPermissions.globalParameters"),
  team: t("tokenPermissions.teamMembersParameters"),
  token: t("tokenPermissions.tokens"),
  workflowtemplate: t("tokenPermissions.templates"),
  user: t("tokenPermissions.users"),
  system: t("tokenPermissions.instance"),
};
const namesOfOperations: Readonly<Record<PermissionAction, string>> = {
  read: t("tokenPermissions.read"),
  write: t("tokenPermissions.write"),
  action: t("tokenPermissions.run"),
  delete: t("tokenPermissions.delete"),
  grant: t("tokenPermissions.grant"),
};

/** The permissions a token can have, in display order: resources and operations, with their names. */
export const resources = Object.entries(namesOfResources);
export const operations = Object.entries(namesOfOperations);

/** Items in the form `workflow/read`, without wildcards. */
export type Chosen = ReadonlySet<string>;

export const everyPermission: readonly string[] = resources.flatMap(([resource]) =>
  operations.map(([operation]) => `${resource}/${operation}`),
);

/** The permissions to send: whole rows and columns are combined into wildcards. */
export function toWildcards(chosen: Chosen): string[] {
  if (everyPermission.every((one) => chosen.has(one))) return ["**/**"];
  const wholeOperations = operations
    .map(([operation]) => operation)
    .filter((operation) => resources.every(([resource]) => chosen.has(`${resource}/${operation}`)));
  const left = [...chosen].filter((one) => !wholeOperations.some((operation) => one.endsWith(`/${operation}`)));
  const wholeResources = resources
    .map(([resource]) => resource)
    .filter((resource) => operations.every(([operation]) => left.includes(`${resource}/${operation}`)));
  const single = left.filter((one) => !wholeResources.some((resource) => one.startsWith(`${resource}/`)));
  return [...wholeOperations.map((operation) => `**/${operation}`), ...wholeResources.map((resource) => `${resource}/**`), ...single];
}

/** Presets for the most common tokens, without permissions that the creator doesn't have. */
export const presets: readonly { name: string; has: (permission: string) => boolean }[] = [
  { name: t("tokenPermissions.readOnly"), has: (permission) => permission.endsWith("/read") },
  {
    name: t("tokenPermissions.runWorkflows"),
    has: (permission) => ["workflow/read", "workflow/action", "workflowrun/read", "taskrun/read"].includes(permission),
  },
  { name: t("tokenPermissions.everythingIDo"), has: () => true },
];

export function presetOf(name: string, mayGive: (permission: string) => boolean): Chosen {
  const preset = presets.find((one) => one.name === name);
  return new Set(everyPermission.filter((permission) => preset?.has(permission) && mayGive(permission)));
}

import { splitPermission } from "@millrace/contract/permission.ts";
import type { AuditEntry } from "../../api/queries/settings.ts";
import { t } from "../../texts/audit.ts";
import { operations, resources } from "../tokens/token-permissions.ts";

/** The kinds of objects in audit records: the service's names with their display names. */
export const kindWords: Readonly<Record<string, string>> = {
  workflow: t("auditWords.kindWorkflow"),
  workflowrun: t("auditWords.kindWorkflowrun"),
  workflowtemplate: t("auditWords.kindWorkflowtemplate"),
  task: t("auditWords.kindTask"),
  action: t("auditWords.approvalManualTask"),
  schedule: t("auditWords.kindSchedule"),
  team: t("auditWords.kindTeam"),
  user: t("auditWords.kindUser"),
  token: t("auditWords.kindToken"),
  session: t("auditWords.kindSession"),
  password: t("auditWords.kindPassword"),
  parameter: t("auditWords.kindParameter"),
  setting: t("auditWords.kindSetting"),
  subscription: t("auditWords.kindSubscription"),
  integration: t("auditWords.kindIntegration"),
  instance: t("auditWords.kindInstance"),
  callback: t("auditWords.kindCallback"),
  runview: t("auditWords.kindRunview"),
  workflowtest: t("auditWords.kindWorkflowtest"),
  invitation: t("auditWords.kindInvitation"),
};

const recorded = ["workflow", "workflowrun", "workflowtemplate", "task", "action", "schedule", "team", "user", "token"];

/** The `resource/verb` values of records. Read operations are not recorded. */
export const auditActions: readonly string[] = [...recorded, "parameter", "integration", "webhook", "system"]
  .flatMap((resource) => ["write", "delete", "action"].map((verb) => `${resource}/${verb}`))
  .concat("team/grant", "workflow/archive", "workflow/restore", "workflow/propose", "workflow/publish", "workflow/withdraw")
  .concat("workflow/protect", "team/protect", "parameter/protect", "event/write", "setting/test");

/** Actions with a verb of their own, since they are more than a change of an object's members. */
const ownVerbs: Readonly<Record<string, string>> = {
  "workflow/archive": t("auditWords.archived"),
  "workflow/restore": t("auditWords.restored"),
  "workflow/propose": t("auditWords.proposed"),
  "workflow/publish": t("auditWords.published"),
  "workflow/withdraw": t("auditWords.withdrew"),
  "workflow/protect": t("auditWords.protected"),
  "team/protect": t("auditWords.protected"),
  "parameter/protect": t("auditWords.protected"),
  "setting/test": t("auditWords.tested"),
};

/** What a permission allows things to be done to, and what may be done, as in the form for tokens. */
const resourceWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(resources),
  event: t("auditWords.resourceEvent"),
  setting: t("auditWords.resourceSetting"),
};
const operationWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(operations),
  archive: t("auditWords.operationArchive"),
  restore: t("auditWords.operationRestore"),
  propose: t("auditWords.operationPropose"),
  publish: t("auditWords.operationPublish"),
  withdraw: t("auditWords.operationWithdraw"),
  protect: t("auditWords.operationProtect"),
  test: t("auditWords.operationTest"),
};

/** The permission in words, such as "Runs: Delete"; as it is if it isn't known here. */
export function permissionWords(permission: string): string {
  const [name, verb] = splitPermission(permission);
  const resource = Object.hasOwn(resourceWords, name) ? resourceWords[name] : undefined;
  const operation = name === "action" && verb === "action" ? t("auditWords.operationDecide") : operationWords[verb];
  return resource === undefined || operation === undefined ? permission : t("auditWords.permission", { resource, operation });
}

/** What was done to what, as a sentence about the object: "created", "changed", "removed members from". */
export function auditVerb({ action, object, before, after }: Pick<AuditEntry, "action" | "object" | "before" | "after">): string {
  const own = ownVerbs[action];
  if (own !== undefined) return own;
  if (action === "workflow/action" && object.kind === "workflowrun" && !isGiven(before)) return t("auditWords.started");
  const verb = action.split("/")[1];
  if (verb === "delete" || (isGiven(before) && !isGiven(after)))
    return isThing(before) || !isGiven(before) ? t("auditWords.deleted") : t("auditWords.removed", { parts: partsOf(before) });
  if (!isGiven(before) && isThing(after) && verb !== "action") return t("auditWords.created");
  return verb === "action" ? t("auditWords.acted") : t("auditWords.changed");
}

/** The state before or after as text: JSON with its members in order, or an empty text if there was no state. */
export function auditState(state: unknown): string {
  return isGiven(state) ? `${JSON.stringify(state, null, 2)}\n` : "";
}

function isGiven(state: unknown): boolean {
  return state !== null && state !== undefined;
}

/** A whole object has a name or an id; anything else is a part of one. */
function isThing(state: unknown): boolean {
  return typeof state === "object" && state !== null && ("name" in state || "id" in state);
}

function partsOf(state: unknown): string {
  const words: Readonly<Record<string, string>> = {
    approverGroups: t("auditWords.wordApprovergroups"),
    quotas: t("auditWords.wordQuotas"),
    members: t("auditWords.wordMembers"),
  };
  return Object.keys(state as object)
    .map((part) => words[part] ?? part)
    .join(", ");
}

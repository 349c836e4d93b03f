import { opensAction } from "@millrace/contract/action/action-fields.ts";
import { flatMapSteps, type Steps } from "../../base/process/slices.ts";
import { readActionForm } from "../../core/action/action-form.ts";
import { instructionsFault, readActionRules, readApproversWanted } from "../../core/action/action-rules.ts";
import type { CheckedDefinition } from "../../core/parameter/check-references.ts";
import { findReferences } from "../../core/parameter/references.ts";
import { textParam } from "../../core/task/task-type.ts";
import type { DocumentTask } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listApproverGroups } from "../../store/team/members.ts";
import type { ResolvedTasks } from "./resolve-tasks.ts";
import type { CheckContext, DocumentWarning } from "./save-context.ts";

/**
 * Approvals and manual tasks that would fail as soon as they start: what they show, ask for and demand is read as the task reads it (tasks/
 * action-task.ts), as far as it has no references.
 */

type Declared = Pick<CheckedDefinition, "params">;

/** What a task gets: its own values, over the defaults of its definition. */
function valuesOf({ params }: DocumentTask, definition: Declared | undefined) {
  const defaults = (definition?.params ?? []).map(({ name, default: value, value: older }) => [name, value ?? older] as const);
  const all = new Map<string, unknown>([...defaults, ...params.map(({ name, value }) => [name, value] as const)]);
  const later = new Set([...all].filter(([, value]) => findReferences(value).length > 0).map(([name]) => name));
  return { known: new Map([...all].filter(([name]) => !later.has(name))), later };
}

function warningAt({ params }: DocumentTask, index: number, name: string | undefined) {
  const at = params.findIndex((param) => param.name === name);
  return { path: `/tasks/${index}/params${at < 0 ? "" : `/${at}/value`}` };
}

export function findActionWarnings(
  tasks: readonly DocumentTask[],
  definitions: ReadonlyMap<string, CheckedDefinition>,
): Steps<DocumentWarning[]> {
  return flatMapSteps(tasks, (task, index) => {
    if (!opensAction(task.type)) return [];
    const { known, later } = valuesOf(task, definitions.get(task.name));
    const read: unknown[] = [readActionRules(known, later), instructionsFault(known), readActionForm(known)];
    if (task.type === "approval") read.push(readApproversWanted(known));
    return read
      .filter((one) => typeof one === "string")
      .map((message): DocumentWarning => {
        const [, name] = /^Parameters? "(\w+)"/.exec(message) ?? [];
        return { code: "INVALID_VALUE", ...warningAt(task, index, name), message };
      });
  });
}

/** Approver groups that the team does not have, or that have fewer people than have to approve. */
export async function checkApproverGroups(
  db: Queryable,
  { team, warnings }: Pick<CheckContext, "team" | "warnings">,
  { document, definitions }: Pick<ResolvedTasks, "document" | "definitions">,
): Promise<void> {
  const named = document.tasks.flatMap((task, index) => {
    if (!opensAction(task.type)) return [];
    const { known, later } = valuesOf(task, { params: definitions.get(task.name)?.spec?.params ?? [] });
    const isCounted = task.type === "approval" && !later.has("numberOfApprovers") && !later.has("numberOfApprovals");
    const wanted = isCounted ? readApproversWanted(known) : 1;
    const groups = { ...(task.type === "approval" && { approverGroupId: wanted }), escalateTo: 1 };
    return Object.entries(groups).flatMap(([param, needed]) => {
      const reference = textParam(known, param)?.trim();
      return reference ? [{ ...warningAt(task, index, param), param, reference, needed: Number(needed) || 1 }] : [];
    });
  });
  if (named.length === 0) return;
  const groups = await listApproverGroups(db, [team.id]);
  for (const { path, param, reference, needed } of named) {
    const lower = reference.toLowerCase();
    const group = groups.find(({ id }) => id === lower) ?? groups.find(({ name }) => name.toLowerCase() === lower);
    const people = group?.approvers.length ?? 0;
    if (group === undefined) {
      const message = `parameter "${param}" names the approver group "${reference}", which the team does not have`;
      warnings.push({ code: "INVALID_VALUE", path, message });
    } else if (people < needed) {
      const message = `approver group "${group.name}" has ${people === 1 ? "one member" : `${people} members`}, but ${needed === 1 ? "someone has" : `${needed} have`} to approve`;
      warnings.push({ code: "INVALID_VALUE", path, message });
    }
  }
}

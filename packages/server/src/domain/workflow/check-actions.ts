import { opensAction } from "@millrace/contract/action/action-fields.ts";
import { flatMapSteps, inSlices, type Steps } from "../../base/process/slices.ts";
import { shorten } from "../../base/text/shorten.ts";
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
  resolved: Pick<ResolvedTasks, "document" | "definitions">,
): Promise<void> {
  const named = await inSlices(namedGroups(resolved));
  if (named.length === 0) return;
  const groups = await listApproverGroups(db, [team.id]);
  const byName = new Map(groups.map((group) => [group.name.toLowerCase(), group]));
  const byId = new Map(groups.map((group) => [group.id, group]));
  for (const { path, param, reference, wanted } of named) {
    const lower = reference.toLowerCase();
    const group = byId.get(lower) ?? byName.get(lower);
    const people = group?.approvers.length ?? 0;
    if (group !== undefined && people >= wanted) continue;
    const message =
      group === undefined
        ? `parameter "${param}" names the approver group "${shorten(reference, maxShown)}", which the team does not have`
        : `approver group "${group.name}" has ${people === 1 ? "one member" : `${people} members`}, but ${wanted === 1 ? "someone has" : `${wanted} have`} to approve`;
    warnings.push({ code: "INVALID_VALUE", path, message });
  }
}

/** Characters; longer than any name of a group. */
const maxShown = 250;

interface NamedGroup {
  path: string;
  param: string;
  /** ID or name. */
  reference: string;
  /** How many of its people have to approve, as far as it is known. */
  wanted: number;
}

/** The groups that tasks name without a reference. */
function namedGroups({ document, definitions }: Pick<ResolvedTasks, "document" | "definitions">): Steps<NamedGroup[]> {
  return flatMapSteps(document.tasks, (task, index) => {
    if (!opensAction(task.type)) return [];
    const { known, later } = valuesOf(task, { params: definitions.get(task.name)?.spec?.params ?? [] });
    const isCounted = !later.has("numberOfApprovers") && !later.has("numberOfApprovals");
    const approvers = isCounted ? readApproversWanted(known) : 1;
    const wanted = typeof approvers === "number" ? approvers : 1;
    const places = [...(task.type === "approval" ? [{ param: "approverGroupId", wanted }] : []), { param: "escalateTo", wanted: 1 }];
    return places.flatMap((place) => {
      const reference = textParam(known, place.param)?.trim();
      return reference ? [{ ...warningAt(task, index, place.param), ...place, reference }] : [];
    });
  });
}

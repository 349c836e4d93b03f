import type { TaskSpec } from "@millrace/contract/task/task.ts";
import { invalidDefinition } from "../../core/task/tekton/read-task-document.ts";
import { maxActionLength, tooLargeActions } from "../../core/task/tekton/step-action/action-ref-faults.ts";
import { actionOf, type NamedAction, refNames, withActions } from "../../core/task/tekton/step-action/step-action.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listStepActions, type StepActionRow } from "../../store/task/step-actions.ts";

/**
 * Copies the newest version of each StepAction into the steps that refer to it: the team's own, or else one of the instance. If a
 * StepAction doesn't exist or is inactive, the step stays without one, which the check of the task refuses.
 *
 * @param teamId null: a global task, which can use those of the instance only
 */
export async function copyActions(db: Queryable, teamId: string | null, content: TaskContent): Promise<TaskContent> {
  const names = refNames(content.spec.steps ?? []);
  if (names.length === 0) return content;
  const rows = await listStepActions(db, teamId, names, maxReadBytes);
  if (rows.some(({ spec }) => spec === null)) throw invalidDefinition([tooLargeActions], ({ path, message }) => `${path} ${message}`);
  const active = rows.filter(({ status }) => status === "active");
  const found = new Map(active.map((row) => [row.name, copyOf(row)]));
  return { ...content, spec: withActions(content.spec, (name) => found.get(name)) };
}

/** A character can take several bytes, and a copy has less than what is stored. */
const maxReadBytes = 6 * maxActionLength;

function copyOf({ name, version, teamId, spec }: StepActionRow): NamedAction {
  return { ...actionOf(spec as TaskSpec, name), name, version, isGlobal: teamId === null };
}

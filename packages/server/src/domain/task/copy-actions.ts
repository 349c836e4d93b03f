import { actionOf, type NamedAction, refNames, withActions } from "../../core/task/tekton/step-action/step-action.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listStepActions, type StepActionRow } from "../../store/task/step-actions.ts";

/**
 * Puts the newest version of each StepAction into the steps that refer to it: the team's own, or else one of the instance. A step whose
 * StepAction is not there, or is inactive, stays without one, which the check of the task refuses.
 *
 * @param teamId null: a global task, which can use those of the instance only
 */
export async function copyActions(db: Queryable, teamId: string | null, content: TaskContent): Promise<TaskContent> {
  const names = refNames(content.spec.steps ?? []);
  if (names.length === 0) return content;
  const found = new Map(
    (await listStepActions(db, teamId, names)).flatMap((row) => (row.status === "active" ? [[row.name, copyOf(row)]] : [])),
  );
  return { ...content, spec: withActions(content.spec, (name) => found.get(name)) };
}

function copyOf({ name, version, teamId, spec }: StepActionRow): NamedAction {
  return { ...actionOf(spec, name), name, version, isGlobal: teamId === null };
}

import type { WorkflowTriggersInput } from "@millrace/contract/inbound/trigger.ts";
import { AppError } from "../../../base/error/app-error.ts";
import type { DocumentTask, WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import { comparedTexts } from "../../../core/workflow/workflow-document-triggers.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { filterWorkflowRefs } from "../../../store/workflow/workflows.ts";
import { refuseFaults } from "../refuse-faults.ts";
import { type CheckMode, saving } from "../save-context.ts";

/** Types whose parameter `workflowRef` names a workflow to run. */
const typesWithWorkflow = ["runworkflow", "runscheduledworkflow"];

/**
 * Checks that the workflows which tasks of a document run are workflows of the team. The workflow itself may be named: the nesting depth is
 * checked when it runs. A reference in the value, or a missing value, is also only known then.
 *
 * @param ownName of the workflow that is being saved, which may not exist yet
 * @throws TASK_INVALID_WORKFLOWREF
 */
export async function checkWorkflowRefs(
  db: Queryable,
  teamId: string,
  ownName: string,
  document: WorkflowDocument,
  mode: CheckMode = saving,
): Promise<void> {
  const named = document.tasks.flatMap((task, index) => workflowRefOf(task, index));
  for (const { value, ...place } of named)
    if (typeof value !== "string") mode.refuse(wrongRef(place, `${JSON.stringify(value)}; it must be a name or an id`));
  const wanted = named.flatMap(({ value, ...place }) =>
    typeof value !== "string" || value.includes("$(") || value.trim().toLowerCase() === ownName ? [] : [{ ...place, ref: value.trim() }],
  );
  if (wanted.length === 0) return;
  const found = await filterWorkflowRefs(db, teamId, [...new Set(wanted.map(({ ref }) => ref))]);
  for (const { ref, ...place } of wanted) if (!found.has(ref)) mode.refuse(wrongRef(place, ref));
}

interface Place {
  task: string;
  path: string;
}

function wrongRef({ task, path }: Place, ref: string): AppError {
  return new AppError("TASK_INVALID_WORKFLOWREF", [task, ref], {
    details: [{ path, message: `the parameter workflowRef names no workflow of the team: ${ref}` }],
  });
}

function workflowRefOf(task: DocumentTask, index: number): (Place & { value: unknown })[] {
  if (!typesWithWorkflow.includes(task.type ?? "")) return [];
  const param = task.params.findIndex(({ name }) => name === "workflowRef");
  const value = task.params[param]?.value;
  if (value === undefined || value === null || value === "") return [];
  return [{ task: task.name, path: `/tasks/${index}/params/${param}/value`, value }];
}

/**
 * Checks that the workflows whose runs shall start this one are workflows of the team, as `runworkflow` has it: a misspelt name would never
 * start anything, and nobody would notice. Only what a write gives is examined, so that a workflow which was deleted meanwhile does not
 * stand in the way of other changes.
 *
 * @param ownName of the workflow that is being saved, which may not exist yet
 * @throws VALIDATION_FAILED
 */
export async function checkTriggerWorkflows(
  db: Queryable,
  teamId: string,
  ownName: string,
  triggers: WorkflowTriggersInput | null | undefined,
  mode: CheckMode = saving,
): Promise<void> {
  const conditions = triggers?.workflow?.conditions ?? [];
  const named = conditions.flatMap((condition, index) =>
    condition.field === "workflows"
      ? comparedTexts(condition).map(({ text, place }) => ({ text, path: `/triggers/workflow/conditions/${index}/${place}` }))
      : [],
  );
  if (named.length === 0) return;
  const found = await filterWorkflowRefs(db, teamId, [...new Set(named.map(({ text }) => text))]);
  const isKnown = (text: string) => text === ownName || (found.has(text) && text === text.toLowerCase());
  refuseFaults(
    named
      .filter(({ text }) => !isKnown(text))
      .map(({ text, path }) => ({
        path,
        message: `is ${JSON.stringify(text.slice(0, 80))}; it must be the name (in lower case) or the id of a workflow of this team`,
      })),
    mode,
  );
}

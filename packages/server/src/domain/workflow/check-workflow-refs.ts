import { AppError } from "../../base/app-error.ts";
import type { DocumentTask, WorkflowDocument } from "../../core/workflow-document.ts";
import type { Queryable } from "../../store/database.ts";
import { filterWorkflowRefs } from "../../store/workflows.ts";

/** Types whose parameter `workflowRef` names a workflow to run. */
const typesWithWorkflow = ["runworkflow", "runscheduledworkflow"];

/**
 * Checks that the workflows which tasks of a document run are workflows of the team. The workflow itself may be named: how deep
 * runs may nest is decided when they run. A value with a reference, or none at all, is known only then, too.
 *
 * @param ownName of the workflow that is being saved, which may not be there yet
 * @throws TASK_INVALID_WORKFLOWREF
 */
export async function checkWorkflowRefs(db: Queryable, teamId: string, ownName: string, document: WorkflowDocument): Promise<void> {
  const wanted = document.tasks.flatMap((task) => {
    const ref = workflowRefOf(task);
    return ref === undefined || ref.toLowerCase() === ownName ? [] : [{ task: task.name, ref }];
  });
  if (wanted.length === 0) return;
  const found = await filterWorkflowRefs(db, teamId, [...new Set(wanted.map(({ ref }) => ref))]);
  const missing = wanted.find(({ ref }) => !found.has(ref));
  if (missing) throw new AppError("TASK_INVALID_WORKFLOWREF", [missing.task, missing.ref]);
}

function workflowRefOf(task: DocumentTask): string | undefined {
  if (!typesWithWorkflow.includes(task.type ?? "")) return undefined;
  const value = task.params.find((param) => param.name === "workflowRef")?.value;
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string")
    throw new AppError("TASK_INVALID_WORKFLOWREF", [task.name, `${JSON.stringify(value)}; it must be a name or an id`]);
  return value.includes("$(") ? undefined : value.trim();
}

import type { WorkflowInput } from "@millrace/contract/workflow.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";

/** Without the start and end that were added, so that places count as its author counts. */
export function asGiven(document: WorkflowDocument, { tasks }: Pick<WorkflowInput, "tasks">): WorkflowDocument {
  const given = new Set((tasks ?? []).map(({ name }) => name));
  return { ...document, tasks: document.tasks.filter(({ name }) => given.has(name)) };
}

/** JSON pointer of each task of the document, by its name. */
export function pathsOfTasks({ tasks }: Pick<WorkflowInput, "tasks">): Map<string, string> {
  return new Map((tasks ?? []).map(({ name }, index) => [name, `/tasks/${index}`]));
}

import type { WorkflowInput } from "@millrace/contract/workflow.ts";
import { documentKey } from "../../core/apply/apply-order.ts";
import type { TaskContent } from "../../core/task/tekton/task-content.ts";
import { comparedTexts } from "../../core/workflow/workflow-document-triggers.ts";

/** Keys of the documents to which a workflow or a template refers, if they are in its set: its tasks, and the workflows that it runs or follows. */
export function needsOfWorkflow({ tasks, triggers }: Pick<WorkflowInput, "tasks" | "triggers">): string[] {
  const uses = (tasks ?? []).flatMap(({ taskRef }) => (taskRef ? [documentKey("Task", taskRef)] : []));
  const runs = (tasks ?? []).flatMap(({ params }) =>
    (params ?? []).flatMap(({ name, value }) =>
      name === "workflowRef" && typeof value === "string" ? [documentKey("Workflow", value)] : [],
    ),
  );
  const follows = (triggers?.workflow?.conditions ?? []).flatMap((condition) =>
    condition.field === "workflows" ? comparedTexts(condition).map(({ text }) => documentKey("Workflow", text)) : [],
  );
  return [...new Set([...uses, ...runs, ...follows])];
}

/** The StepActions of its steps. */
export function needsOfTask({ spec }: Pick<TaskContent, "spec">): string[] {
  const names = (spec.steps ?? []).flatMap(({ ref }) => (typeof ref?.name === "string" ? [documentKey("StepAction", ref.name)] : []));
  return [...new Set(names)];
}

import { maxNestedDepth, maxTasksOfWorkflow, type NestedWorkflowInput, type WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { scanReferences } from "../parameter/references.ts";
import { isSecretParam } from "../parameter/secret-params.ts";
import { type DocumentTask, hasNested, type WorkflowDocument } from "./workflow-document.ts";

/**
 * A nested workflow: tasks that are written inside a task of type `runworkflow`, in the document of the workflow. Each of its runs is a
 * child run, as for a called workflow. What those runs need of a workflow is stored in a hidden workflow, which belongs to the workflow of
 * the document (domain/workflow/save-nested.ts).
 */

/** For a version: where the nested workflows of its tasks are stored and, if it is nested itself, where it belongs. */
export interface Nesting {
  /** By the name of the task. */
  inner?: Record<string, NestedRef>;
  of?: NestedPlace;
}

/** A version of a hidden workflow. */
export interface NestedRef {
  workflowId: string;
  version: number;
}

/** The workflow that contains it, and the names of the tasks that lead to it, as a JSON pointer without its first slash. */
export interface NestedPlace {
  workflowId: string;
  task: string;
}

/** Members of a workflow that mean nothing in a nested one: only its task starts it, and it has no settings of its own. */
const foreignMembers = [
  ...["name", "triggers", "concurrency", "rate", "debounce", "batch", "priority", "retries", "requireTests", "status", "labels"],
  ...["nodes", "edges", "config"],
];

/** Parameters of the task that would name another workflow. */
const namingParams = ["workflowRef", "workflowVersion"];

type InputTask = NonNullable<WorkflowInput["tasks"]>[number];

/** The nested workflow of a task in the form of a workflow. */
export function nestedInput(name: string, { workflow }: Pick<InputTask, "workflow">): WorkflowInput {
  return { ...(workflow as NestedWorkflowInput), name };
}

/** The nested workflow of a task, which may be unfinished. */
export function nestedDocument({ workflow }: Pick<DocumentTask, "workflow">): WorkflowDocument | undefined {
  if (typeof workflow !== "object" || workflow === null) return undefined;
  const { tasks, params, workspaces, results, ...more } = workflow as NestedWorkflowInput;
  return {
    ...more,
    ...(results && { results }),
    tasks: ((tasks ?? []) as DocumentTask[]).map((task) => ({ ...task, params: task.params ?? [], dependencies: task.dependencies ?? [] })),
    params: params ?? [],
    workspaces: workspaces ?? [],
  } as WorkflowDocument;
}

/** Problems with the nested workflows of a document, at any depth, found before any of their tasks is looked up. */
export function nestedFaults({ tasks }: Pick<WorkflowInput, "tasks">): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  let total = 0;
  const walk = (list: readonly InputTask[], path: string, depth: number): void => {
    total += list.length;
    for (const [index, task] of list.entries()) {
      if (!hasNested(task)) continue;
      const at = `${path}/tasks/${index}`;
      if (depth === maxNestedDepth) {
        faults.push({
          path: `${at}/workflow`,
          message: `is more than ${maxNestedDepth} levels deep; at most ${maxNestedDepth} are allowed`,
        });
        continue;
      }
      faults.push(...ownFaults(task, at));
      walk((task.workflow as NestedWorkflowInput).tasks ?? [], `${at}/workflow`, depth + 1);
    }
  };
  walk(tasks ?? [], "", 0);
  if (total > maxTasksOfWorkflow && faults.length === 0)
    faults.push({ path: "/tasks", message: `are ${total} with those of nested workflows; at most ${maxTasksOfWorkflow} are allowed` });
  return faults;
}

function ownFaults({ name, params, workflow }: InputTask, at: string): ErrorDetail[] {
  const nested = workflow as NestedWorkflowInput;
  const stray = foreignMembers.filter((member) => nested[member] != null);
  const isEmpty = (nested.tasks ?? []).every((task) => ["start", "end"].includes(task.type ?? task.name));
  return [
    ...stray.map((member) => ({
      path: `${at}/workflow/${member}`,
      message: "has no meaning in a nested workflow; use a workflow of its own that the task names with workflowRef",
    })),
    ...(isEmpty ? [{ path: `${at}/workflow/tasks`, message: "must have at least one task" }] : []),
    ...(nested.workspaces ?? []).flatMap((workspace, index) =>
      (workspace.type ?? workspace.name) === "workflow"
        ? [
            {
              path: `${at}/workflow/workspaces/${index}`,
              message: "is of type workflow; a nested workflow can only have one of type workflowrun",
            },
          ]
        : [],
    ),
    ...(params ?? []).flatMap((param, index): ErrorDetail[] => {
      const isGiven = param.value != null && param.value !== "";
      const path = `${at}/params/${index}`;
      if (isGiven && namingParams.includes(param.name))
        return [
          {
            path,
            message: `parameter "${param.name}" can't be combined with the nested workflow of task "${name}"; leave one of them out`,
          },
        ];
      const isDetached = isGiven && param.name === "wait" && String(param.value).toLowerCase() !== "true";
      return isDetached ? [{ path, message: 'parameter "wait" must be true: a task always waits for its nested workflow' }] : [];
    }),
  ];
}

/** Secrets written into a nested workflow, which can't store any. @param secrets names of the secret parameters of a task */
export function nestedSecretFaults(
  { params, tasks }: Pick<WorkflowDocument, "params" | "tasks">,
  secrets: (task: DocumentTask) => ReadonlySet<string>,
): ErrorDetail[] {
  const remedy = "a nested workflow keeps no secret: declare a parameter of type password in the outer workflow, and pass it on";
  const isGiven = (value: unknown) => value != null && value !== "";
  return [
    ...params.flatMap((param, index) =>
      isSecretParam(param) && (isGiven(param.default) || isGiven(param.value))
        ? [{ path: `/params/${index}`, message: `parameter "${param.name}" is a secret with a value; ${remedy}` }]
        : [],
    ),
    ...tasks.flatMap((task, index) =>
      task.params.flatMap(({ name, value }, at) =>
        isGiven(value) && !isReference(value) && secrets(task).has(name)
          ? [{ path: `/tasks/${index}/params/${at}/value`, message: `of parameter "${name}" is a secret; ${remedy}` }]
          : [],
      ),
    ),
  ];
}

function isReference(value: unknown): boolean {
  return typeof value === "string" && scanReferences(value).some(({ reference }) => reference);
}

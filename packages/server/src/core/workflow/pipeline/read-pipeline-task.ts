import type { PipelineTask } from "@millrace/contract/workflow/pipeline-definition.ts";
import type { WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { writeStep } from "../../parameter/references.ts";
import { parseDuration } from "../../task/tekton/step-resources.ts";
import { type EmbeddedTask, inheritedParams, readEmbeddedTask } from "./embedded-task.ts";
import { readMatrix } from "./pipeline-matrix.ts";
import { foreignReferences, toWorkflowReferences } from "./pipeline-references.ts";
import type { PipelineReport } from "./pipeline-report.ts";
import { checkWhen } from "./pipeline-when.ts";
import { bindWorkspaces, type PipelineStorages } from "./pipeline-workspaces.ts";

export interface TaskScope {
  /** Slug of the workflow. */
  workflow: string;
  /** Names of the pipeline's parameters. */
  declared: ReadonlySet<string>;
  storages: PipelineStorages;
  report: PipelineReport;
}

/**
 * Stores parts of the document at a node, so that they can be written as they were; members that were changed since are written as they
 * are.
 */
export const keptAnnotation = "millrace.dev/pipeline-task";

const keptMembers = [
  "displayName",
  "description",
  "taskRef",
  "runAfter",
  "when",
  "matrix",
  "workspaces",
  "timeout",
  "retries",
  "onError",
] as const;

/** The node of a task without its dependencies, and its embedded task. */
export function readPipelineTask(task: PipelineTask, path: string, scope: TaskScope, isFinally: boolean) {
  const { report, declared } = scope;
  checkTask(task, path, report);
  const embedded = embeddedOf(task, path, scope);
  const items = task.matrix && readMatrix(task.matrix, `${path}/matrix`, report);
  if (items && (declared.has("item") || declared.has("item-index")))
    report.refuse(`${path}/matrix`, "can't be used in a pipeline with a parameter named item or item-index; rename that");
  const given = task.params ?? [];
  const names = new Set([...given, ...(items?.params ?? [])].map(({ name }) => name));
  const inherited = embedded ? inheritedParams(embedded, declared).filter((name) => !names.has(name)) : [];
  const timeout = readMinutes(task.timeout, `${path}/timeout`, report);
  const workspaces = bindWorkspaces(task, scope.storages, path, report);
  const node: WorkflowTask = {
    name: task.name,
    taskRef: embedded ? embedded.definition.metadata.name : (task.taskRef?.name ?? ""),
    params: [
      ...given.map(({ name, value }) => ({ name, value: toWorkflowReferences(value, declared) })),
      ...(items?.params ?? []),
      ...inherited.map((name) => ({ name, value: `$(workflow.params${writeStep(name)})` })),
    ],
    ...(items && { forEach: { ...items.forEach, items: toWorkflowReferences(items.forEach.items, declared) } }),
    ...(workspaces.length > 0 && { workspaces }),
    ...(timeout !== undefined && timeout > 0 && { timeout }),
    ...(task.retries !== undefined && task.retries > 0 && { retry: { count: task.retries, backoffMs: 0 } }),
    annotations: { [keptAnnotation]: keptOf(task, isFinally) },
  };
  return { node, embedded };
}

function keptOf(task: PipelineTask, isFinally: boolean): Record<string, unknown> {
  const kept = keptMembers.flatMap((name) => (task[name] === undefined ? [] : [[name, task[name]] as const]));
  return { ...Object.fromEntries(kept), ...(isFinally && { finally: true }), ...(task.taskSpec && { embedded: true }) };
}

/** DNS labels, and names that older documents use. Helper tasks that the service adds have a space in their names. */
const taskName = /^[A-Za-z0-9]([\w-]{0,98}[A-Za-z0-9])?$/;

function checkTask(task: PipelineTask, path: string, report: PipelineReport): void {
  const { name, taskRef, taskSpec, params = [], when = [], matrix, onError } = task;
  if (!taskName.test(name)) report.refuse(`${path}/name`, "must have letters, digits and hyphens, at most 100");
  if (name === "start" || name === "end") report.refuse(`${path}/name`, `is ${name}, which is reserved here; rename the task`);
  report.refuseMembers(path, task, {
    pipelineRef: "is not supported; run another workflow with a task that refers to run-workflow",
    pipelineSpec: "is not supported; put its tasks into this pipeline, or run another workflow with run-workflow",
    resources: "is not supported; use params, results and workspaces",
    conditions: "is not supported; use when",
  });
  if (taskRef && taskSpec) report.refuse(path, "has both taskRef and taskSpec; keep one of them");
  checkTaskRef(task, path, report);
  for (const [index, param] of params.entries()) if (param.value === undefined) report.refuse(`${path}/params/${index}`, "has no value");
  for (const [member, value] of Object.entries({ params, when: when.map(({ input }) => input), matrix }))
    for (const { text, why } of foreignReferences(value)) report.refuse(`${path}/${member}`, `has ${text}: ${why}`);
  checkWhen(when, `${path}/when`, report);
  if (onError !== undefined && onError !== "continue" && onError !== "stopAndFail")
    report.refuse(`${path}/onError`, `is ${onError.slice(0, 100)}; it must be continue or stopAndFail`);
}

function checkTaskRef({ taskRef, taskSpec }: PipelineTask, path: string, report: PipelineReport): void {
  if (!taskRef) {
    if (!taskSpec) report.refuse(path, "needs taskRef, the name of a task, or taskSpec");
    return;
  }
  const at = `${path}/taskRef`;
  const byName = "is not supported; save that task in the team, and refer to it by its name";
  report.refuseMembers(at, taskRef, { bundle: byName, resolver: byName, resource: byName, params: byName });
  const { name, kind = "Task", apiVersion } = taskRef;
  if (!name) report.refuse(`${at}/name`, "must name a task");
  if (name?.includes("$(")) report.refuse(`${at}/name`, "must not have a reference; which task runs is known when the workflow is saved");
  if (name?.includes("/")) report.refuse(`${at}/name`, "must be the name of a task of the team, or of a global one, without a slash");
  if (kind === "ClusterTask") report.note(`${at}/kind`, "has no effect: a task of the team comes first, then a global one");
  else if (kind !== "Task") report.refuse(`${at}/kind`, `is ${kind.slice(0, 100)}, a custom task, which can't run here; use a Task`);
  if (apiVersion !== undefined && !/^tekton\.dev\/v1(beta1)?$/.test(apiVersion))
    report.refuse(`${at}/apiVersion`, `is ${apiVersion.slice(0, 100)}, of custom tasks, which can't run here; use a Task`);
}

function embeddedOf({ name, taskSpec }: PipelineTask, path: string, { workflow, report }: TaskScope): EmbeddedTask | undefined {
  return taskSpec && readEmbeddedTask(taskSpec, { workflow, node: name, path: `${path}/taskSpec` }, report);
}

/** Whole minutes, rounded up. Undefined: none are given. */
export function readMinutes(text: string | undefined, path: string, report: PipelineReport): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  const minutes = Math.ceil((ms ?? 0) / 60_000);
  if (ms === undefined || minutes > 525_600)
    report.refuse(path, `is ${JSON.stringify(text.slice(0, 100))}; it must be a duration such as 1h30m, at most 8760h`);
  else if (minutes * 60_000 !== ms) report.note(path, `is ${text}; timeouts are whole minutes here, so it becomes ${minutes}m`);
  return minutes;
}

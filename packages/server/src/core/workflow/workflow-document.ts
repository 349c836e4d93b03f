import type { AbstractParam, ResultSpec, RunParam, TaskWorkspace, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Batch, ConcurrencyLimit, Debounce, RateLimit } from "@millrace/contract/run/run-control.ts";
import type { TaskType } from "@millrace/contract/status.ts";
import type {
  ExecutionCondition,
  HandlerKind,
  WorkflowInput,
  WorkflowResult,
  WorkflowTask,
  WorkflowTaskDependency,
} from "@millrace/contract/workflow/workflow.ts";
import type { LoopDocument } from "./compile-loop.ts";

/**
 * The versioned part of a workflow, as its version row stores it: everything except what is the same for all versions (name, labels,
 * triggers …) and what is computed. Unknown members are versioned, too.
 */
export interface WorkflowDocument {
  tasks: DocumentTask[];
  params: AbstractParam[];
  workspaces: WorkflowWorkspace[];
  /** Minutes. */
  timeout?: number;
  /** Minutes. */
  handlerTimeout?: number;
  retries?: number;
  concurrency?: ConcurrencyLimit;
  rate?: RateLimit;
  debounce?: Debounce;
  batch?: Batch;
  priority?: number;
  /** Absent: the results that its tasks set. */
  results?: WorkflowResult[];
  markdown?: string;
  [member: string]: unknown;
}

/** A task of a stored document: "absent" is never stored as null, and lists and maps always exist. */
export interface DocumentTask {
  name: string;
  /** Undefined only until the task it refers to is known. */
  type?: TaskType;
  taskRef?: string;
  taskVersion?: number;
  dependencies: DocumentDependency[];
  /** Minutes, never 0. */
  timeout?: number;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: RunParam[];
  results: ResultSpec[];
  workspaces?: TaskWorkspace[];
  forEach?: { items: unknown[] | string; parallel?: number; batchSize?: number; stopAtFailure?: boolean };
  loop?: LoopDocument;
  retry?: { count: number; backoffMs?: number; factor?: number; maxBackoffMs?: number; on?: ("failed" | "timedout")[] };
  onLost?: "retry" | "fail";
  handler?: HandlerKind;
  compensatedBy?: string;
  /** A nested workflow, complete: with start and end, and the versions of its tasks. */
  workflow?: Omit<WorkflowDocument, "name">;
  [member: string]: unknown;
}

export interface DocumentDependency {
  taskRef: string;
  executionCondition: ExecutionCondition;
  decisionCondition?: string;
  [member: string]: unknown;
}

/** Members of a workflow that are not part of a version: they are stored in the workflow's row, or computed. */
const unversionedMembers = [
  "id",
  "name",
  "displayName",
  "status",
  "version",
  "creationDate",
  "archiveDate",
  "favourite",
  "changelog",
  "icon",
  "description",
  "labels",
  "annotations",
  "upgradesAvailable",
  "latestRuns",
  "triggers",
  "requireTests",
  "warnings",
] as const;

const knownTaskMembers = [
  "type",
  "taskRef",
  "taskVersion",
  "timeout",
  "workspaces",
  "forEach",
  "loop",
  "retry",
  "onLost",
  "handler",
  "compensatedBy",
  "unresolvedReferences",
  "workflow",
] as const;

/** In these members, null means absent. */
const clearedMembers = [
  ...["timeout", "handlerTimeout", "retries", "concurrency", "rate", "debounce", "batch", "priority", "markdown"],
  ...["unresolvedReferences", "results"],
];

/** The versioned part of what a client sent, with every omission filled in the one way in which it is stored. */
export function documentOf(input: WorkflowInput): WorkflowDocument {
  const rest: Record<string, unknown> = { ...input };
  for (const member of unversionedMembers) delete rest[member];
  for (const member of clearedMembers) if (rest[member] === null) delete rest[member];
  if (input.concurrency) rest["concurrency"] = withoutNulls(input.concurrency);
  if (input.rate) rest["rate"] = withoutNulls(input.rate);
  if (input.debounce) rest["debounce"] = withoutNulls(input.debounce);
  if (input.batch) rest["batch"] = withoutNulls(input.batch);
  if (rest["timeout"] === 0) delete rest["timeout"];
  return {
    ...rest,
    tasks: (input.tasks ?? []).map(documentTask),
    params: input.params ?? [],
    workspaces: (input.workspaces ?? []).map(documentWorkspace),
  };
}

/** One task of the document. */
export function documentTask(task: WorkflowTask): DocumentTask {
  const { upgradesAvailable: _computed, dependencies, labels, annotations, params, results, ...rest } = task;
  const kept: Record<string, unknown> = rest;
  for (const member of knownTaskMembers) if (kept[member] === null || kept[member] === "") delete kept[member];
  if (kept["timeout"] === 0) delete kept["timeout"];
  if (task.forEach) kept["forEach"] = withoutNulls(task.forEach);
  if (task.loop) kept["loop"] = withoutNulls(task.loop);
  if (task.retry) kept["retry"] = withoutNulls(task.retry);
  if (hasNested(task)) kept["taskRef"] ??= nestedTask;
  return {
    ...(kept as { name: string }),
    dependencies: (dependencies ?? []).map(documentDependency),
    labels: labels ?? {},
    annotations: annotations ?? {},
    params: (params ?? []).map(documentParam),
    results: results ?? [],
  };
}

/** The task reference for a nested workflow if the task names none. */
const nestedTask = "run-workflow";

export function hasNested({ workflow }: { workflow?: unknown }): boolean {
  return typeof workflow === "object" && workflow !== null;
}

/** Whether a value is hidden is computed, so a value sent by a client is dropped. */
function documentParam({ hiddenValue: _computed, ...param }: RunParam): RunParam {
  return param;
}

function documentDependency(dependency: WorkflowTaskDependency): DocumentDependency {
  const { executionCondition, decisionCondition, ...rest } = dependency;
  return {
    ...rest,
    executionCondition: executionCondition ?? "always",
    ...(typeof decisionCondition === "string" && { decisionCondition }),
  };
}

const knownWorkspaceTypes = ["workflow", "workflowrun"];

/** There is one workspace of each known type. It has the name of its type, and it is never optional. */
function documentWorkspace(workspace: WorkflowWorkspace): WorkflowWorkspace {
  const type = workspace.type ?? workspace.name;
  if (!knownWorkspaceTypes.includes(type)) return workspace;
  return { ...workspace, name: type, type, optional: false };
}

function withoutNulls<T extends object>(value: T): { [M in keyof T]: Exclude<T[M], null> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as { [M in keyof T]: Exclude<T[M], null> };
}

import Type, { type Static } from "typebox";
import { abstractParam, changeLog, resultSpec, runParam, taskWorkspace, workflowWorkspace } from "../common.ts";
import { type WorkflowTriggers, workflowTrigger } from "../inbound/trigger.ts";
import { page } from "../page.ts";
import { workflowRunSummary } from "../run/insight.ts";
import { batch, concurrencyLimit, debounce, rateLimit, runPriority } from "../run/run-control.ts";
import { defaultHandlerTimeout } from "../run/run-rules.ts";
import { type AsRead, annotationChanges, labelChanges, labelMap, named, openObject, orNull, ref, stringEnum } from "../schema.ts";
import { taskTypes } from "../status.ts";
import { loop } from "./loop.ts";
import { ratedRuns } from "./workflow-list.ts";
import { workflowProblem } from "./workflow-problem.ts";

/**
 * The workflow document: what a team writes down, and what it reads back. Every optional member may also be null, which
 * means absent. Members we do not know are kept on the workflow, its tasks and their dependencies.
 */

export const executionConditions = ["always", "success", "failure"] as const;
export type ExecutionCondition = (typeof executionConditions)[number];

/** An edge, written at the task it leads to. */
export interface WorkflowTaskDependency extends Static<typeof workflowTaskDependency> {}
export const workflowTaskDependency = named(
  "WorkflowTaskDependency",
  openObject({
    taskRef: Type.String({ minLength: 1, description: "Name of the other task of this workflow" }),
    executionCondition: orNull(stringEnum(executionConditions, { description: "When the edge is followed; default always" })),
    decisionCondition: orNull(Type.String({ description: "Regular expressions (RE2), one per line, on edges that leave a decision" })),
  }),
);

/** Runs one task once for each item of a list. */
export interface ForEach extends Static<typeof forEach> {}
export const maxForEachItems = 100_000;
export const forEach = named(
  "ForEach",
  Type.Object({
    items: Type.Unsafe<unknown[] | string>({
      type: ["array", "string"],
      items: {},
      maxItems: maxForEachItems,
      description: "A list, or text with a reference that resolves to one: $(tasks.list files.results.names)",
    }),
    parallel: orNull(Type.Integer({ minimum: 1, maximum: 1000, description: "Items that run at the same time; default 10" })),
    batchSize: orNull(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "So many items are one task run, whose $(params.item) is a list of them; default: each item is one, as it is",
      }),
    ),
    stopAtFailure: orNull(
      Type.Boolean({ description: "Once an item has not succeeded, no other one begins, and those that run are awaited; default false" }),
    ),
  }),
);

export const retryReasons = ["failed", "timedout"] as const;

/** Further attempts of a task that failed or timed out. */
export interface RetryPolicy extends Static<typeof retryPolicy> {}
export const retryPolicy = named(
  "RetryPolicy",
  Type.Object({
    count: Type.Integer({ minimum: 0, maximum: 100, description: "Attempts after the first" }),
    backoffMs: orNull(Type.Integer({ minimum: 0, maximum: 86_400_000, description: "Delay before the first retry; default 1,000" })),
    factor: orNull(Type.Number({ minimum: 1, maximum: 100, description: "Factor for each further delay; default 2" })),
    maxBackoffMs: orNull(Type.Integer({ minimum: 0, maximum: 86_400_000, description: "The longest delay; default 300,000" })),
    on: orNull(
      Type.Array(stringEnum(retryReasons), { maxItems: 2, uniqueItems: true, description: "What is retried; default failed and timedout" }),
    ),
  }),
);

/** Tasks beside the flow of a workflow, which run when that is over. */
export const handlerKinds = ["finally", "onFailure"] as const;
export type HandlerKind = (typeof handlerKinds)[number];

export const unresolvedChoices = ["fail", "keep"] as const;
/** What happens to a task run whose parameters refer to a name that does not exist: it fails, or the text stays as written. */
export type UnresolvedReferences = (typeof unresolvedChoices)[number];

/** What a task of a workflow and the data of a canvas node have in common. */
export const nodeMembers = {
  name: Type.String({ minLength: 1, maxLength: 200, description: "Unique in the workflow" }),
  taskRef: orNull(Type.String({ description: "Name or ID of the task: the team's own first, then a global one. Returned as name" })),
  taskVersion: orNull(Type.Integer({ minimum: 1, description: "Version of the task; defaults to the latest" })),
  upgradesAvailable: orNull(Type.Boolean({ description: "The task has a newer version. Computed" })),
  timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes; 0 means no limit of its own" })),
  labels: orNull(labelMap()),
  annotations: orNull(Type.Record(Type.String(), Type.Unknown())),
  params: orNull(Type.Array(ref(runParam), { maxItems: 1000, description: "Values for the parameters of the task" })),
  results: orNull(Type.Array(ref(resultSpec), { maxItems: 1000, description: "Results in addition to those of the task" })),
  workspaces: orNull(Type.Array(ref(taskWorkspace), { maxItems: 1000 })),
  forEach: orNull(ref(forEach)),
  loop: orNull(ref(loop), { description: "Repeats the task on a condition, round by round. Not together with forEach" }),
  retry: orNull(ref(retryPolicy)),
  onLost: orNull(stringEnum(["retry", "fail"] as const, { description: "What happens if its worker is lost; default retry" })),
  handler: orNull(
    stringEnum(handlerKinds, {
      description: "Runs after all other tasks: always (finally), or when the run failed or timed out (onFailure); default: neither",
    }),
  ),
  compensatedBy: orNull(
    Type.String({
      description: "Name of the task of this workflow that undoes it if the run does not succeed",
      minLength: 1,
      maxLength: 200,
    }),
  ),
  unresolvedReferences: orNull(
    stringEnum(unresolvedChoices, {
      description: "What happens if its parameters refer to a name that doesn't exist; defaults to that of the workflow, which is fail",
    }),
  ),
};

/** A use of a task in a workflow: a node of its graph. */
export interface WorkflowTask extends Static<typeof workflowTask> {}
export const workflowTask = named(
  "WorkflowTask",
  openObject({
    ...nodeMembers,
    type: orNull(stringEnum(taskTypes, { description: "The type of its task, which is the default" })),
    dependencies: orNull(Type.Array(ref(workflowTaskDependency), { maxItems: 10_000 })),
  }),
);

export const workflowResultTypes = ["text", "number", "boolean", "array", "json"] as const;
export type WorkflowResultType = (typeof workflowResultTypes)[number];

/** What runs of the workflow give to those that started them. */
export interface WorkflowResult extends Static<typeof workflowResult> {}
export const workflowResult = named(
  "WorkflowResult",
  openObject({
    name: Type.String({ minLength: 1, maxLength: 200, description: "That of an output of a task set-result-parameter" }),
    type: orNull(stringEnum(workflowResultTypes, { description: "A task that sets another value fails; default any value" })),
    description: orNull(Type.String()),
  }),
);

export const maxWorkflowNameLength = 128;

/** Names that a workflow can't have, since paths use them. */
export const reservedWorkflowNames = ["query"];

export const workflowStatuses = ["active", "inactive"] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

/** What a client may write of a workflow and of its canvas alike. */
export const workflowMembers = {
  name: Type.String({
    minLength: 1,
    maxLength: maxWorkflowNameLength,
    description: "Addresses the workflow in its team; written as a slug",
  }),
  displayName: orNull(Type.String({ maxLength: 256, description: "Defaults to the name" })),
  status: orNull(Type.String({ examples: [...workflowStatuses], description: "Default active" })),
  version: orNull(Type.Integer({ description: "Set by the service" })),
  creationDate: orNull(Type.String({ description: "ISO 8601 in UTC, of the first version. Set by the service" })),
  archiveDate: orNull(Type.String({ description: "ISO 8601 in UTC; absent unless it is archived. Set by the service" })),
  favourite: orNull(Type.Boolean({ description: "Whether you have marked it; in lists only. Set by the service" })),
  changelog: orNull(ref(changeLog)),
  icon: orNull(Type.String({ maxLength: 256 })),
  description: orNull(Type.String()),
  markdown: orNull(Type.String({ description: "Notes" })),
  labels: orNull(labelChanges()),
  annotations: orNull(annotationChanges),
  timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes of wall time; 0 means none" })),
  handlerTimeout: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: `Minutes for each kind of handlers: compensations, onFailure, finally; default ${defaultHandlerTimeout}`,
    }),
  ),
  retries: orNull(Type.Integer({ minimum: 0, maximum: 100, description: "Number of new runs after one that failed or timed out" })),
  concurrency: orNull(ref(concurrencyLimit)),
  rate: orNull(ref(rateLimit)),
  debounce: orNull(ref(debounce)),
  batch: orNull(ref(batch)),
  priority: orNull(runPriority, {
    description: "Of its runs in the queue of the team: 9 starts first, 5 is the default. A run gains a level each 10 minutes",
  }),
  upgradesAvailable: orNull(Type.Boolean({ description: "Some task has a newer version than the one in use. Computed" })),
  triggers: orNull(ref(workflowTrigger)),
  requireTests: orNull(
    Type.Boolean({ description: "A new version is saved only if the tests of the workflow pass; docs/workflow-tests.md" }),
  ),
  warnings: orNull(
    Type.Array(ref(workflowProblem), {
      maxItems: 1000,
      description: "In the response to a save: problems that don't prevent saving. Set by the service",
    }),
  ),
  workspaces: orNull(Type.Array(ref(workflowWorkspace), { maxItems: 1000 })),
  results: orNull(
    Type.Array(ref(workflowResult), { maxItems: 1000, description: "All results of its runs; default: those that its tasks set" }),
  ),
  unresolvedReferences: orNull(
    stringEnum(unresolvedChoices, {
      description: "What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays",
    }),
  ),
};

/** What a client writes. */
export interface WorkflowInput extends Static<typeof workflow> {}

/** What it reads. */
export interface Workflow
  extends AsRead<
    WorkflowInput,
    | "id"
    | "displayName"
    | "version"
    | "creationDate"
    | "changelog"
    | "annotations"
    | "upgradesAvailable"
    | "tasks"
    | "params"
    | "workspaces"
  > {
  status: WorkflowStatus;
  /** Without those that a write removes. */
  labels: Record<string, string>;
  triggers: WorkflowTriggers;
}

export const workflow = named(
  "Workflow",
  openObject({
    id: orNull(Type.String({ description: "Set by the service" })),
    ...workflowMembers,
    tasks: orNull(
      Type.Array(ref(workflowTask), {
        maxItems: 10_002,
        description: "Its graph; start and end are added when missing",
      }),
    ),
    params: orNull(Type.Array(ref(abstractParam), { maxItems: 1000 })),
    latestRuns: orNull(
      Type.Array(ref(workflowRunSummary), {
        maxItems: ratedRuns,
        description: "Newest first, in lists that requested them. Set by the service",
      }),
    ),
  }),
);

export const workflowResponsePage = page("WorkflowResponsePage", workflow);

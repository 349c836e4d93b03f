import Type, { type Static } from "typebox";
import {
  type AbstractParam,
  abstractParam,
  changeLog,
  resultSpec,
  runParam,
  taskWorkspace,
  type WorkflowWorkspace,
  workflowWorkspace,
} from "../common.ts";
import { type WorkflowTriggers, workflowTrigger } from "../inbound/trigger.ts";
import { page } from "../page.ts";
import { workflowRunSummary } from "../run/insight.ts";
import { batch, concurrencyLimit, debounce, rateLimit, runPriority } from "../run/run-control.ts";
import { defaultHandlerTimeout } from "../run/run-rules.ts";
import {
  type AsRead,
  annotationChanges,
  labelChanges,
  labelMap,
  named,
  openObject,
  orNull,
  ref,
  refToItself,
  stringEnum,
} from "../schema.ts";
import { taskTypes } from "../status.ts";
import { forEach, retryPolicy } from "./for-each.ts";
import { loop } from "./loop.ts";
import { ratedRuns } from "./workflow-list.ts";
import { workflowProblem } from "./workflow-problem.ts";

/**
 * The workflow document, in requests and responses. Every optional member may also be null, which means absent. Unknown members of the
 * workflow, its tasks and their dependencies are kept.
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

/** Tasks outside of the flow of a workflow, which run when the flow has ended. */
export const handlerKinds = ["finally", "onFailure"] as const;
export type HandlerKind = (typeof handlerKinds)[number];

export const unresolvedChoices = ["fail", "keep"] as const;
/** What happens to a task run whose parameters refer to a name that does not exist: it fails, or the text stays as written. */
export type UnresolvedReferences = (typeof unresolvedChoices)[number];

/** How deep workflows may be nested: as deep as runs may start runs. */
export const maxNestedDepth = 5;
/** The most tasks of a workflow with all its nested workflows, including start and end. */
export const maxTasksOfWorkflow = 10_002;

/** Tasks written inside a task of type runworkflow. The type is written manually, since these tasks may contain such tasks, too. */
export interface NestedWorkflowInput {
  params?: AbstractParam[] | null;
  tasks?: WorkflowTask[] | null;
  results?: WorkflowResult[] | null;
  workspaces?: WorkflowWorkspace[] | null;
  timeout?: number | null;
  handlerTimeout?: number | null;
  unresolvedReferences?: UnresolvedReferences | null;
  [member: string]: unknown;
}

/** Members that a task of a workflow and the data of a canvas node have in common. */
export const nodeMembers = {
  name: Type.String({ minLength: 1, maxLength: 200, description: "Unique in the workflow" }),
  taskRef: orNull(Type.String({ description: "Name or ID of the task: the team's own first, then a global one. Returned as name" })),
  taskVersion: orNull(Type.Integer({ minimum: 1, description: "Version of the task; defaults to the latest" })),
  upgradesAvailable: orNull(Type.Boolean({ description: "The task has a newer version. Computed" })),
  timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes; 0 means no limit of its own" })),
  labels: orNull(labelMap({ description: "Texts by name, for your own tools" })),
  annotations: orNull(Type.Record(Type.String(), Type.Unknown(), { description: "Any values by name; the designer keeps the place here" })),
  params: orNull(Type.Array(ref(runParam), { maxItems: 1000, description: "Values for the parameters of the task" })),
  results: orNull(Type.Array(ref(resultSpec), { maxItems: 1000, description: "Results in addition to those of the task" })),
  workspaces: orNull(Type.Array(ref(taskWorkspace), { maxItems: 1000, description: "Where the task sees workspaces of the workflow" })),
  forEach: orNull(ref(forEach), { description: "Runs the task once for each item of a list. Not together with loop" }),
  loop: orNull(ref(loop), { description: "Repeats the task on a condition, round by round. Not together with forEach" }),
  retry: orNull(ref(retryPolicy), { description: "Tries the task again, within the run, after it failed or timed out" }),
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
  workflow: orNull(refToItself<NestedWorkflowInput>("NestedWorkflow"), {
    description:
      "A nested workflow: the task runs it, instead of a stored one. Only with a task of type runworkflow, which is the default then",
  }),
};

/** A use of a task in a workflow: a node of its graph. */
export interface WorkflowTask extends Static<typeof workflowTask> {}
export const workflowTask = named(
  "WorkflowTask",
  openObject({
    ...nodeMembers,
    type: orNull(stringEnum(taskTypes, { description: "The type of its task, which is the default" })),
    dependencies: orNull(
      Type.Array(ref(workflowTaskDependency), { maxItems: 10_000, description: "The tasks before it: each is a link of the graph" }),
    ),
  }),
);

export const workflowResultTypes = ["text", "number", "boolean", "array", "json"] as const;
export type WorkflowResultType = (typeof workflowResultTypes)[number];

/** A result that runs of the workflow return to those that started them. */
export interface WorkflowResult extends Static<typeof workflowResult> {}
export const workflowResult = named(
  "WorkflowResult",
  openObject({
    name: Type.String({ minLength: 1, maxLength: 200, description: "That of an output of a task set-result-parameter" }),
    type: orNull(stringEnum(workflowResultTypes, { description: "A task that sets another value fails; default any value" })),
    description: orNull(Type.String({ description: "What it means" })),
  }),
);

export const nestedWorkflow = named(
  "NestedWorkflow",
  openObject({
    params: orNull(
      Type.Array(ref(abstractParam), { maxItems: 1000, description: "They get their values from the params of the task, by name" }),
    ),
    tasks: orNull(
      Type.Array(ref(workflowTask), {
        maxItems: maxTasksOfWorkflow,
        description: "Its graph. They refer to its own parameters and to each other, not to tasks outside",
      }),
    ),
    results: orNull(
      Type.Array(ref(workflowResult), { maxItems: 1000, description: "Results of the task; default: those that its tasks set" }),
    ),
    workspaces: orNull(
      Type.Array(ref(workflowWorkspace), { maxItems: 1000, description: "Of type workflowrun: each of its runs has its own" }),
    ),
    timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes of wall time of each of its runs; 0 means none" })),
    handlerTimeout: orNull(Type.Integer({ minimum: 1, maximum: 1440, description: `Minutes; default ${defaultHandlerTimeout}` })),
    unresolvedReferences: orNull(stringEnum(unresolvedChoices, { description: "Default fail" })),
  }),
);

export const maxWorkflowNameLength = 128;

/** Names that a workflow can't have, since paths use them. */
export const reservedWorkflowNames = ["query"];

export const workflowStatuses = ["active", "inactive"] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

/** Members that clients may write both in a workflow and in its canvas. */
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
  changelog: orNull(ref(changeLog), { description: "Who saved this version, when and why. You write only reason" }),
  icon: orNull(Type.String({ maxLength: 256, description: "Name of the icon in lists" })),
  description: orNull(Type.String({ description: "What the workflow is for, shown in lists" })),
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
  concurrency: orNull(ref(concurrencyLimit), { description: "How many of its runs run at once; others wait or are refused" }),
  rate: orNull(ref(rateLimit), { description: "How fast its runs start" }),
  debounce: orNull(ref(debounce), { description: "Of events in quick succession, only the last starts a run" }),
  batch: orNull(ref(batch), { description: "Several events start one run together" }),
  priority: orNull(runPriority, {
    description: "Of its runs in the queue of the team: 9 starts first, 5 is the default. A run gains a level each 10 minutes",
  }),
  upgradesAvailable: orNull(Type.Boolean({ description: "Some task has a newer version than the one in use. Computed" })),
  triggers: orNull(ref(workflowTrigger), { description: "What can start it. In a new workflow only manual is enabled" }),
  requireTests: orNull(
    Type.Boolean({ description: "A new version is saved only if the tests of the workflow pass; docs/workflow-tests.md" }),
  ),
  warnings: orNull(
    Type.Array(ref(workflowProblem), {
      maxItems: 1000,
      description: "In the response to a save: problems that don't prevent saving. Set by the service",
    }),
  ),
  workspaces: orNull(Type.Array(ref(workflowWorkspace), { maxItems: 1000, description: "Storage that its tasks share" })),
  results: orNull(
    Type.Array(ref(workflowResult), { maxItems: 1000, description: "All results of its runs; default: those that its tasks set" }),
  ),
  unresolvedReferences: orNull(
    stringEnum(unresolvedChoices, {
      description: "What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays",
    }),
  ),
};

/** In a request. */
export interface WorkflowInput extends Static<typeof workflow> {}

/** Members that every response with a workflow or a template has. */
export type WorkflowMemberRead =
  | "id"
  | "displayName"
  | "version"
  | "creationDate"
  | "changelog"
  | "annotations"
  | "upgradesAvailable"
  | "tasks"
  | "params"
  | "workspaces";

/** In a response. */
export interface Workflow extends AsRead<WorkflowInput, WorkflowMemberRead> {
  status: WorkflowStatus;
  /** Without nulls, which only requests have. */
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
        maxItems: maxTasksOfWorkflow,
        description: "Its graph; start and end are added when missing",
      }),
    ),
    params: orNull(Type.Array(ref(abstractParam), { maxItems: 1000, description: "Parameters that a submission can set" })),
    latestRuns: orNull(
      Type.Array(ref(workflowRunSummary), {
        maxItems: ratedRuns,
        description: "Newest first, in lists that requested them. Set by the service",
      }),
    ),
  }),
);

export const workflowResponsePage = page("WorkflowResponsePage", workflow);

import Type from "typebox";
import "./common.ts";
import "./insight.ts";
import "./page.ts";
import type { AbstractParam, ChangeLog, ResultSpec, RunParam, TaskWorkspace, WorkflowWorkspace } from "./common.ts";
import type { WorkflowRunSummary } from "./insight.ts";
import { annotationChanges, labelChanges, labelMap, named, orNull, page, ref, stringEnum } from "./schema.ts";
import { type TaskType, taskTypes } from "./status.ts";
import "./trigger.ts";
import type { WorkflowTriggers, WorkflowTriggersInput } from "./trigger.ts";
import { ratedRuns } from "./workflow-list.ts";
import "./workflow-problem.ts";
import type { WorkflowProblem } from "./workflow-problem.ts";

/**
 * The workflow document: what a team writes down, and what it reads back. Every optional member may also be null, which
 * means absent. Members we do not know are kept on the workflow, its tasks and their dependencies.
 */

export const executionConditions = ["always", "success", "failure"] as const;
export type ExecutionCondition = (typeof executionConditions)[number];

/** An edge, written at the task it leads to. */
export interface WorkflowTaskDependency {
  /** Name of the other task of this workflow. */
  taskRef: string;
  executionCondition?: ExecutionCondition | null;
  /** Patterns (RE2), one a line, on edges that leave a decision; empty is the default branch. */
  decisionCondition?: string | null;
  [member: string]: unknown;
}
export const workflowTaskDependency = named(
  "WorkflowTaskDependency",
  Type.Object(
    {
      taskRef: Type.String({ minLength: 1, description: "Name of the other task of this workflow" }),
      executionCondition: orNull(stringEnum(executionConditions, { description: "When the edge is followed; default always" })),
      decisionCondition: orNull(Type.String({ description: "Regular expressions (RE2), one per line, on edges that leave a decision" })),
    },
    { additionalProperties: true },
  ),
);

/** Runs one task once for each item of a list. */
export interface ForEach {
  /** The list itself (at most 10,000 items), or text with a reference that resolves to one. */
  items: unknown[] | string;
  /** Items that run at the same time, 1 to 1,000; default 10. */
  parallel?: number | null;
}
export const maxForEachItems = 10_000;
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
  }),
);

export const retryReasons = ["failed", "timedout"] as const;

/** Further attempts of a task that failed or timed out. */
export interface RetryPolicy {
  count: number;
  /** Pause before the first further attempt; default 1,000. */
  backoffMs?: number | null;
  /** By which each further pause is longer; default 2. */
  factor?: number | null;
  /** Default 300,000. */
  maxBackoffMs?: number | null;
  /** Default both. */
  on?: (typeof retryReasons)[number][] | null;
}
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

export const unresolvedChoices = ["fail", "keep"] as const;
/** What becomes of a task run whose parameters refer to a name that does not exist: it fails, or the text stays as it is written. */
export type UnresolvedReferences = (typeof unresolvedChoices)[number];

/** What a task of a workflow and the data of a canvas node have in common. */
export interface NodeMembers {
  name: string;
  taskRef?: string | null;
  taskVersion?: number | null;
  upgradesAvailable?: boolean | null;
  timeout?: number | null;
  labels?: Record<string, string> | null;
  annotations?: Record<string, unknown> | null;
  params?: RunParam[] | null;
  results?: ResultSpec[] | null;
  workspaces?: TaskWorkspace[] | null;
  forEach?: ForEach | null;
  retry?: RetryPolicy | null;
  onLost?: "retry" | "fail" | null;
  unresolvedReferences?: UnresolvedReferences | null;
}

/** A use of a task in a workflow: a node of its graph. */
export interface WorkflowTask extends NodeMembers {
  type?: TaskType | null;
  dependencies?: WorkflowTaskDependency[] | null;
  [member: string]: unknown;
}

export const nodeMembers = {
  name: Type.String({ minLength: 1, maxLength: 200, description: "Unique in the workflow" }),
  taskRef: orNull(Type.String({ description: "Name or ID of the task: the team's own first, then a global one. Returned as name" })),
  taskVersion: orNull(Type.Integer({ minimum: 1, description: "Version of the task; defaults to the latest" })),
  upgradesAvailable: orNull(Type.Boolean({ description: "The task has a newer version. Computed" })),
  timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes; 0 means no limit of its own" })),
  labels: orNull(labelMap()),
  annotations: orNull(Type.Record(Type.String(), Type.Unknown())),
  params: orNull(Type.Array(ref<RunParam>("RunParam"), { maxItems: 1000, description: "Values for the parameters of the task" })),
  results: orNull(Type.Array(ref<ResultSpec>("ResultSpec"), { maxItems: 1000, description: "Results in addition to those of the task" })),
  workspaces: orNull(Type.Array(ref<TaskWorkspace>("TaskWorkspace"), { maxItems: 1000 })),
  forEach: orNull(ref<ForEach>("ForEach")),
  retry: orNull(ref<RetryPolicy>("RetryPolicy")),
  onLost: orNull(stringEnum(["retry", "fail"] as const, { description: "What happens if its worker is lost; default retry" })),
  unresolvedReferences: orNull(
    stringEnum(unresolvedChoices, {
      description: "What happens if its parameters refer to a name that doesn't exist; defaults to that of the workflow, which is fail",
    }),
  ),
};

export const workflowTask = named(
  "WorkflowTask",
  Type.Object(
    {
      ...nodeMembers,
      type: orNull(stringEnum(taskTypes, { description: "The type of its task, which is the default" })),
      dependencies: orNull(Type.Array(ref<WorkflowTaskDependency>("WorkflowTaskDependency"), { maxItems: 10_000 })),
    },
    { additionalProperties: true },
  ),
);

export const maxWorkflowNameLength = 128;

/** Names that a workflow can't have, since paths use them. */
export const reservedWorkflowNames = ["query"];

export const workflowStatuses = ["active", "inactive"] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

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
  changelog: orNull(ref<ChangeLog>("ChangeLog")),
  icon: orNull(Type.String({ maxLength: 256 })),
  description: orNull(Type.String()),
  markdown: orNull(Type.String({ description: "Notes" })),
  labels: orNull(labelChanges()),
  annotations: orNull(annotationChanges),
  timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes of wall time; 0 means none" })),
  retries: orNull(Type.Integer({ minimum: 0, maximum: 100, description: "Number of new runs after one that failed or timed out" })),
  upgradesAvailable: orNull(Type.Boolean({ description: "Some task has a newer version than the one in use. Computed" })),
  triggers: orNull(ref<WorkflowTriggersInput>("WorkflowTrigger")),
  warnings: orNull(
    Type.Array(ref<WorkflowProblem>("WorkflowProblem"), {
      maxItems: 1000,
      description: "In the response to a save: problems that don't prevent saving. Set by the service",
    }),
  ),
  workspaces: orNull(Type.Array(ref<WorkflowWorkspace>("WorkflowWorkspace"), { maxItems: 1000 })),
  unresolvedReferences: orNull(
    stringEnum(unresolvedChoices, {
      description: "What happens to a task whose parameters refer to a name that doesn't exist: it fails (default), or the text stays",
    }),
  ),
};

/** What a client may write of a workflow and of its canvas alike. */
export interface WorkflowMembers {
  name: string;
  displayName?: string | null;
  status?: string | null;
  changelog?: ChangeLog | null;
  icon?: string | null;
  description?: string | null;
  markdown?: string | null;
  labels?: Record<string, string | null> | null;
  annotations?: Record<string, unknown> | null;
  timeout?: number | null;
  retries?: number | null;
  triggers?: WorkflowTriggersInput | null;
  warnings?: WorkflowProblem[] | null;
  workspaces?: WorkflowWorkspace[] | null;
  unresolvedReferences?: UnresolvedReferences | null;
}

/** What a client writes. */
export interface WorkflowInput extends WorkflowMembers {
  tasks?: WorkflowTask[] | null;
  params?: AbstractParam[] | null;
  [member: string]: unknown;
}

/** What it reads. */
export interface Workflow extends WorkflowInput {
  id: string;
  displayName: string;
  status: WorkflowStatus;
  version: number;
  creationDate: string;
  changelog: ChangeLog;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  upgradesAvailable: boolean;
  triggers: WorkflowTriggers;
  tasks: WorkflowTask[];
  params: AbstractParam[];
  workspaces: WorkflowWorkspace[];
  latestRuns?: WorkflowRunSummary[];
}

export const workflow = Type.Unsafe<WorkflowInput>(
  named(
    "Workflow",
    Type.Object(
      {
        id: orNull(Type.String({ description: "Set by the service" })),
        ...workflowMembers,
        tasks: orNull(
          Type.Array(ref<WorkflowTask>("WorkflowTask"), {
            maxItems: 10_002,
            description: "Its graph; start and end are added when missing",
          }),
        ),
        params: orNull(Type.Array(ref<AbstractParam>("AbstractParam"), { maxItems: 1000 })),
        latestRuns: orNull(
          Type.Array(ref<WorkflowRunSummary>("WorkflowRunSummary"), {
            maxItems: ratedRuns,
            description: "Newest first, in lists that requested them. Set by the service",
          }),
        ),
      },
      { additionalProperties: true },
    ),
  ),
);

export const workflowResponsePage = page("WorkflowResponsePage", "Workflow");

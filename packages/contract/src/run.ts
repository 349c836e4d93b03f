import Type from "typebox";
import "./common.ts";
import "./page.ts";
import "./task-run.ts";
import type { RunParam, RunResult, WorkflowWorkspace } from "./common.ts";
import { initiatorMembers } from "./initiator.ts";
import { labelChanges, labelMap, named, orNull, page, ref, stringEnum, stringMap } from "./schema.ts";
import { type InitiatorType, type Phase, phases, type Status, statuses, type TriggerKind, triggers } from "./status.ts";
import type { RunWarning, TaskRun } from "./task-run.ts";

/** Runs as the API shows them, and what starts them. Dates are ISO 8601 in UTC, durations milliseconds, time-outs minutes. */

const requestMembers = {
  labels: orNull(labelMap({ description: "Added to the labels of the workflow" })),
  annotations: orNull(Type.Record(Type.String(), Type.Unknown())),
  params: orNull(Type.Array(ref<RunParam>("RunParam"), { maxItems: 1000 })),
  workspaces: orNull(Type.Array(ref<WorkflowWorkspace>("WorkflowWorkspace"), { maxItems: 1000 })),
  timeout: orNull(Type.Integer({ minimum: 0, description: "Minutes of wall time; defaults to that of the workflow" })),
  retries: orNull(
    Type.Integer({ minimum: -1, maximum: 100, description: "Number of new runs after this one fails or times out; 0 and -1: none" }),
  ),
  debug: orNull(Type.Boolean()),
};

export interface WorkflowRunRequest {
  labels?: Record<string, string> | null;
  annotations?: Record<string, unknown> | null;
  params?: RunParam[] | null;
  workspaces?: WorkflowWorkspace[] | null;
  timeout?: number | null;
  retries?: number | null;
  debug?: boolean | null;
}
export const workflowRunRequest = named("WorkflowRunRequest", Type.Object(requestMembers));

export interface WorkflowSubmitRequest extends WorkflowRunRequest {
  workflowVersion?: number | null;
  trigger?: TriggerKind | null;
}
export const workflowSubmitRequest = named(
  "WorkflowSubmitRequest",
  Type.Object(
    {
      ...requestMembers,
      workflowVersion: orNull(Type.Integer({ minimum: 1, description: "Default: the latest" })),
      trigger: orNull(
        stringEnum(triggers, { description: "Checked against the workflow's triggers; workflow, engine and task are refused" }),
      ),
    },
    { examples: [{ params: [{ name: "city", value: "Oslo" }], trigger: "manual" }] },
  ),
);

export interface WorkflowRun {
  id: string;
  creationDate: string;
  startTime?: string;
  duration: number;
  queued?: number;
  status: Status;
  phase: Phase;
  statusMessage?: string;
  reason?: string;
  waitingFor?: string;
  truncated?: boolean;
  warningCount: number;
  warnings?: RunWarning[];
  timeout?: number;
  retries: number;
  debug: boolean;
  awaitingApproval: boolean;
  workflowRef: string;
  workflowName?: string;
  workflowDisplayName?: string;
  workflowVersion: number;
  workflowRevisionRef: string;
  trigger: TriggerKind;
  initiatedByRef?: string;
  initiatedByType?: InitiatorType;
  initiatedByName?: string;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  params: RunParam[];
  results: RunResult[];
  workspaces: WorkflowWorkspace[];
  tasks?: TaskRun[];
  retryOf?: string;
  parentRunRef?: string;
}
export const workflowRun = named(
  "WorkflowRun",
  Type.Object({
    id: Type.String(),
    creationDate: Type.String(),
    startTime: Type.Optional(Type.String()),
    duration: Type.Integer({ minimum: 0, format: "int64", description: "Milliseconds from start to end; 0 until it ends" }),
    queued: Type.Optional(Type.Integer({ minimum: 0, format: "int64", description: "Milliseconds in the queue; absent until it starts" })),
    status: stringEnum(statuses),
    phase: stringEnum(phases),
    statusMessage: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String({ description: "A typed word for the status: TaskFailed, DeadlineExceeded …" })),
    waitingFor: Type.Optional(Type.String({ description: "Why it is waiting, with names" })),
    truncated: Type.Optional(
      Type.Boolean({
        description: "annotations, params and results are left out because the response would be too large; read the run by itself",
      }),
    ),
    warningCount: Type.Integer({ minimum: 0, description: "Warnings of its task runs and of the run itself" }),
    warnings: Type.Optional(
      Type.Array(ref<RunWarning>("RunWarning"), { description: "The first 100 of them, if the response contains the task runs" }),
    ),
    timeout: Type.Optional(Type.Integer({ description: "Minutes" })),
    retries: Type.Integer(),
    debug: Type.Boolean(),
    awaitingApproval: Type.Boolean(),
    workflowRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
    workflowDisplayName: Type.Optional(Type.String()),
    workflowVersion: Type.Integer(),
    workflowRevisionRef: Type.String(),
    trigger: stringEnum(triggers),
    ...initiatorMembers,
    labels: stringMap(),
    annotations: Type.Record(Type.String(), Type.Unknown()),
    params: Type.Array(ref<RunParam>("RunParam")),
    results: Type.Array(ref<RunResult>("RunResult")),
    workspaces: Type.Array(ref<WorkflowWorkspace>("WorkflowWorkspace")),
    tasks: Type.Optional(Type.Array(ref<TaskRun>("TaskRun"))),
    retryOf: Type.Optional(Type.String({ description: "The first run of this series of retries" })),
    parentRunRef: Type.Optional(Type.String()),
  }),
);
export const workflowRunPage = page("PageWorkflowRun", "WorkflowRun");

export interface WorkflowRunCount {
  status: Record<string, number>;
}
export const workflowRunCount = named(
  "WorkflowRunCount",
  Type.Object({ status: Type.Record(Type.String(), Type.Integer(), { description: "Runs by status, and `all`" }) }),
);

/** What the end of a run came to for a workflow whose trigger `workflow` it fits. */
export const followUpOutcomes = ["submitted", "refused", "loop", "tooLong"] as const;
export type FollowUpOutcome = (typeof followUpOutcomes)[number];

export interface RunFollowUp {
  workflowRef: string;
  workflowName?: string;
  outcome: FollowUpOutcome;
  workflowRunRef?: string;
  message?: string;
  date: string;
}
export const runFollowUp = named(
  "RunFollowUp",
  Type.Object({
    workflowRef: Type.String({ description: "ID of the workflow whose trigger matches" }),
    workflowName: Type.Optional(Type.String({ description: "Absent if the workflow was deleted" })),
    outcome: stringEnum(followUpOutcomes, {
      description: "loop: the workflow is among those that led to the run; tooLong: the chain of workflows is too long",
    }),
    workflowRunRef: Type.Optional(Type.String({ description: "ID of the submitted run" })),
    message: Type.Optional(Type.String({ description: "Why there is no run" })),
    date: Type.String(),
  }),
);
export const runFollowUpPage = page("PageRunFollowUp", "RunFollowUp");

/** What can be changed of a recorded run. */
export interface RunChange {
  labels: Record<string, string | null>;
}
export const runChange = named(
  "RunChange",
  Type.Object(
    {
      labels: labelChanges({
        description: "Merged into the existing ones; null removes one. A run with the label `keep` is exempt from retention",
      }),
    },
    { examples: [{ labels: { keep: "true" } }] },
  ),
);

import type { Static } from "typebox";
import Type from "typebox";
import { runParam, runResult, workflowWorkspace } from "../common.ts";
import { page } from "../page.ts";
import { labelChanges, labelMap, named, orNull, ref, stringEnum, stringMap } from "../schema.ts";
import { initiatorTypes, phases, statuses, triggers, waitKinds } from "../status.ts";
import { runOrigin } from "./rerun.ts";
import { runAcknowledgement } from "./run-comment.ts";
import { runPriority } from "./run-control.ts";
import { runSearchState } from "./run-search.ts";
import { nestedRun, runTrial } from "./run-trial.ts";
import { runWarning, taskRun } from "./task-run.ts";

/** Who or what started a run, in a response. All members are absent if that was not recorded. */
export const initiatorMembers = {
  initiatedByRef: Type.Optional(
    Type.String({
      description:
        "ID of the user, token or schedule; of the run whose task or end started it; or one of the instance's own: webhook, codehost or chat",
    }),
  ),
  initiatedByType: Type.Optional(stringEnum(initiatorTypes, { description: "workflow: a task or the end of another run" })),
  initiatedByName: Type.Optional(
    Type.String({ description: "Its current name: of a workflow if another run started it; absent if it was deleted" }),
  ),
};

/** Runs as the API shows them, and requests that start them. Dates are ISO 8601 in UTC, durations milliseconds, timeouts minutes. */

const requestMembers = {
  labels: orNull(labelMap({ description: "Added to the labels of the workflow" })),
  annotations: orNull(Type.Record(Type.String(), Type.Unknown())),
  params: orNull(Type.Array(ref(runParam), { maxItems: 1000 })),
  workspaces: orNull(Type.Array(ref(workflowWorkspace), { maxItems: 1000 })),
  timeout: orNull(Type.Integer({ minimum: 0, description: "Minutes of wall time; defaults to that of the workflow" })),
  retries: orNull(
    Type.Integer({ minimum: -1, maximum: 100, description: "Number of new runs after this one fails or times out; 0 and -1: none" }),
  ),
  debug: orNull(Type.Boolean()),
};

export interface WorkflowRunRequest extends Static<typeof workflowRunRequest> {}
export const workflowRunRequest = named("WorkflowRunRequest", Type.Object(requestMembers));

export interface WorkflowSubmitRequest extends Static<typeof workflowSubmitRequest> {}
export const workflowSubmitRequest = named(
  "WorkflowSubmitRequest",
  Type.Object(
    {
      ...requestMembers,
      workflowVersion: orNull(Type.Integer({ minimum: 1, description: "Default: the latest" })),
      priority: orNull(runPriority, { description: "In the queue of the team; at most that of the workflow, which is the default" }),
      trigger: orNull(
        stringEnum(triggers, { description: "Checked against the workflow's triggers; workflow, engine and task are refused" }),
      ),
    },
    { examples: [{ params: [{ name: "city", value: "Oslo" }], trigger: "manual" }] },
  ),
);

export interface WorkflowRun extends Static<typeof workflowRun> {}
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
    waitKinds: Type.Optional(
      Type.Array(stringEnum(waitKinds), {
        description: "What it waits for, if it has begun and nothing of it runs: several if its tasks differ (of a thousand that wait)",
      }),
    ),
    truncated: Type.Optional(
      Type.Boolean({
        description: "annotations, params and results are left out because the response would be too large; read the run by itself",
      }),
    ),
    warningCount: Type.Integer({ minimum: 0, description: "Warnings of its task runs and of the run itself" }),
    warnings: Type.Optional(Type.Array(ref(runWarning), { description: "The first 100 of them, if the response contains the task runs" })),
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
    params: Type.Array(ref(runParam)),
    results: Type.Array(ref(runResult)),
    workspaces: Type.Array(ref(workflowWorkspace)),
    tasks: Type.Optional(Type.Array(ref(taskRun))),
    retryOf: Type.Optional(Type.String({ description: "The first run of this series of retries" })),
    rerunOf: Type.Optional(ref(runOrigin)),
    parentRunRef: Type.Optional(Type.String()),
    trial: Type.Optional(ref(runTrial)),
    nested: Type.Optional(ref(nestedRun)),
    acknowledgement: Type.Optional(ref(runAcknowledgement)),
    commentCount: Type.Optional(Type.Integer({ minimum: 1, description: "Absent if there are none" })),
  }),
);
const sortedRuns = Type.Object({
  count: Type.Integer({ minimum: 0, description: "How many runs are in this order: pages end there" }),
  fromDate: Type.Optional(Type.String({ description: "Runs that were created before are left out; absent if none is" })),
});
export const workflowRunPage = page("PageWorkflowRun", workflowRun, {
  sortedRuns: Type.Optional(sortedRuns),
  search: Type.Optional(ref(runSearchState)),
});

export interface WorkflowRunCount extends Static<typeof workflowRunCount> {}
export const workflowRunCount = named(
  "WorkflowRunCount",
  Type.Object({
    status: Type.Record(Type.String(), Type.Integer(), {
      description: "Runs by status, and `all`; those of which nothing runs are `waiting`",
    }),
    waits: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description:
          "Of those that wait, by what they wait for, as in `waitKinds`: several if its tasks differ; of the newest 1,000. Absent with any other " +
          "filter than `workflows`",
      }),
    ),
  }),
);

/** The result of a run's end for a workflow whose trigger `workflow` matches it. */
export const followUpOutcomes = ["submitted", "refused", "loop", "tooLong"] as const;
export type FollowUpOutcome = (typeof followUpOutcomes)[number];

export interface RunFollowUp extends Static<typeof runFollowUp> {}
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
export const runFollowUpPage = page("PageRunFollowUp", runFollowUp);

/** What can be changed in a recorded run. */
export interface RunChange extends Static<typeof runChange> {}
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

import Type, { type Static } from "typebox";
import { runParam, runResult, taskEnvVar, taskWorkspace } from "../common.ts";
import { page } from "../page.ts";
import { named, openObject, ref, stringEnum, stringMap } from "../schema.ts";
import { phases, statuses, taskTypes } from "../status.ts";
import { taskRunOrigin } from "./rerun.ts";

/** Task runs, their attempts and their logs as the API shows them. Dates are ISO 8601 in UTC, durations milliseconds, timeouts minutes. */

export interface TaskRunSpec extends Static<typeof taskRunSpec> {}
export const taskRunSpec = named(
  "TaskRunSpec",
  openObject({
    arguments: Type.Optional(Type.Array(Type.String())),
    command: Type.Optional(Type.Array(Type.String())),
    envs: Type.Optional(Type.Array(ref(taskEnvVar))),
    image: Type.Optional(Type.String()),
    script: Type.Optional(Type.String()),
    workingDir: Type.Optional(Type.String()),
    debug: Type.Optional(Type.Boolean()),
    timeout: Type.Optional(Type.Integer()),
    deletion: Type.Optional(Type.String()),
  }),
);

/**
 * How long an attempt waited before its first step started, by what it waited for, in milliseconds; absent: it did not wait, or it is
 * unknown.
 */
export interface AttemptWaitTimes extends Static<typeof attemptWaitTimes> {}
const waitTime = (description: string) => Type.Optional(Type.Integer({ minimum: 0, format: "int64", description }));
export const attemptWaitTimes = named(
  "AttemptWaitTimes",
  Type.Object({
    queue: waitTime("From ready until a worker claimed it"),
    quota: waitTime("A quota of the cluster"),
    scheduling: waitTime("A node of the cluster"),
    imagePull: waitTime("Images of its steps"),
    start: waitTime("From there to the begin of its first step"),
  }),
);

/** The image of a step, with the digest that was actually used. */
export interface StepImage extends Static<typeof stepImage> {}
export const stepImage = named(
  "StepImage",
  Type.Object({ step: Type.String(), image: Type.String(), digest: Type.Optional(Type.String()) }),
);

/** One finished attempt of a task run. */
export interface TaskRunAttempt extends Static<typeof taskRunAttempt> {}
export const taskRunAttempt = named(
  "TaskRunAttempt",
  Type.Object({
    attempt: Type.Integer({ minimum: 1 }),
    status: stringEnum(["succeeded", "failed", "invalid", "cancelled", "timedout", "lost"]),
    reason: Type.Optional(Type.String({ description: "A typed word: ExitCode, OutOfMemory, WorkerLost …" })),
    statusMessage: Type.Optional(Type.String()),
    exitCode: Type.Optional(Type.Integer()),
    signal: Type.Optional(Type.String()),
    executor: Type.Optional(Type.String({ description: "The kind that ran it: process, container or kubernetes" })),
    isolation: Type.Optional(Type.String({ description: "The sandbox or runtime that isolated it" })),
    host: Type.Optional(Type.String({ description: "The machine of its worker" })),
    node: Type.Optional(Type.String({ description: "The node of the cluster" })),
    unit: Type.Optional(Type.String({ description: "The pod, or the container of the last step" })),
    images: Type.Optional(Type.Array(ref(stepImage))),
    waits: Type.Optional(ref(attemptWaitTimes)),
    startTime: Type.Optional(Type.String()),
    endTime: Type.String(),
  }),
);

/** Something that a run did that its author may not have intended. */
export interface RunWarning extends Static<typeof runWarning> {}
/**
 * A reference that stayed as written or became empty, a time that a limit cuts, a task that no worker can run now, parameters that share a
 * variable, patterns of a switch that were not tried on its value.
 */
export const runWarningCodes = [
  "UNRESOLVED_REFERENCE",
  "CUT_BY_LIMIT",
  "NO_EXECUTOR",
  "SHARED_VARIABLE",
  "PATTERN_NOT_TRIED",
  "LINE_END_IN_VALUE",
] as const;
export type RunWarningCode = (typeof runWarningCodes)[number];
export const runWarning = named(
  "RunWarning",
  Type.Object({
    code: stringEnum(runWarningCodes),
    task: Type.Optional(Type.String({ description: "Name of the task run, if the list is that of a run" })),
    reference: Type.String({ description: "The reference, parameter or member that it is about" }),
    why: Type.String(),
  }),
);

/** How many items a forEach has, or rounds a loop, and how many are in each state. */
export interface TaskRunItems extends Static<typeof taskRunItems> {}
export const taskRunItems = named(
  "TaskRunItems",
  Type.Object({
    total: Type.Integer({ minimum: 0, description: "Items of the list; those whose turn has not come may have no task run so far" }),
    statuses: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: "Number of items by status; a status that no item has is absent",
      examples: [{ succeeded: 4990, failed: 3, running: 7 }],
    }),
    maxRounds: Type.Optional(Type.Integer({ minimum: 1, description: "Of a loop, whose items are its rounds: its limit" })),
  }),
);

export interface TaskRun extends Static<typeof taskRun> {}
export const taskRun = named(
  "TaskRun",
  Type.Object({
    id: Type.String(),
    type: stringEnum(taskTypes),
    name: Type.String(),
    labels: stringMap(),
    annotations: Type.Record(Type.String(), Type.Unknown()),
    creationDate: Type.String(),
    startTime: Type.Optional(Type.String({ description: "Start of the latest attempt" })),
    duration: Type.Integer({ minimum: 0, format: "int64", description: "Milliseconds from start to end; 0 until it ends" }),
    timeout: Type.Optional(Type.Integer({ description: "Minutes, of each attempt" })),
    params: Type.Array(ref(runParam)),
    results: Type.Array(ref(runResult)),
    workspaces: Type.Array(ref(taskWorkspace)),
    spec: Type.Optional(ref(taskRunSpec)),
    status: stringEnum(statuses),
    phase: stringEnum(phases),
    statusMessage: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String({ description: "A typed word for the status: ExitCode, LockTimeout, PathNotTaken …" })),
    waitingFor: Type.Optional(Type.String({ description: "Why it is waiting, with names" })),
    truncated: Type.Optional(
      Type.Boolean({ description: "params and results are left out because the response would be too large; read the task run by itself" }),
    ),
    warnings: Type.Optional(Type.Array(ref(runWarning))),
    needs: Type.Optional(
      Type.String({ description: "The executor that it needs: process, container, kubernetes, or image (one of the last two)" }),
    ),
    runsOn: Type.Optional(Type.Array(Type.String(), { description: "Labels that its worker must have" })),
    attempt: Type.Integer({ minimum: 0 }),
    attempts: Type.Optional(Type.Array(ref(taskRunAttempt))),
    decisionValue: Type.Optional(Type.String({ description: "What a switch compared" })),
    startedRunRef: Type.Optional(
      Type.String({
        description: "Of a task that runs another workflow, or a nested one: ID of the run that it waits for, or that it started",
      }),
    ),
    item: Type.Optional(Type.Integer({ minimum: 0, description: "Index of the forEach item" })),
    items: Type.Optional(ref(taskRunItems)),
    pinned: Type.Optional(Type.Boolean({ description: "In a trial: it did not run, its status and results were given" })),
    origin: Type.Optional(ref(taskRunOrigin)),
    taskRef: Type.Optional(Type.String({ description: "Id of the task" })),
    taskName: Type.Optional(Type.String()),
    taskVersion: Type.Optional(Type.Integer()),
    workflowRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
    workflowRevisionRef: Type.String(),
    workflowRunRef: Type.String(),
    agentRef: Type.Optional(Type.String({ description: "The worker that runs the attempt" })),
  }),
);

export const taskRunPage = page("PageTaskRun", taskRun);

/** The most characters in a topic that a task waits for and a callback names. */
export const maxTopicLength = 500;

/** A line written by a step, or a message of the service about the attempts (stream `system`, without a step). */
export interface LogLine extends Static<typeof logLine> {}
export const logLine = named(
  "LogLine",
  Type.Object({
    time: Type.String({ description: "ISO 8601 in UTC" }),
    step: Type.String(),
    stream: Type.Optional(
      stringEnum(["stdout", "stderr", "system"], {
        description:
          "`system` is written by the service. Missing if standard output and standard error are merged, which keeps their order; set if they were read separately",
      }),
    ),
    text: Type.String({ description: "Without the line end; secrets are masked" }),
  }),
);

export interface TaskRunLog extends Static<typeof taskRunLog> {}
export const taskRunLog = named(
  "TaskRunLog",
  Type.Object({
    lines: Type.Array(ref(logLine)),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Pass it as `after` to read on; null if the task run has ended and these are its last lines",
    }),
    firstLine: Type.Optional(
      Type.Integer({ minimum: 1, description: "With `fromLine` or `tail`: number of the first line of this page, from 1" }),
    ),
    totalLines: Type.Optional(Type.Integer({ minimum: 0, description: "With `fromLine` or `tail`: lines of the whole log so far" })),
  }),
);

/** Matching lines of a log. */
export interface TaskRunLogSearch extends Static<typeof taskRunLogSearch> {}
export const taskRunLogSearch = named(
  "TaskRunLogSearch",
  Type.Object({
    ranges: Type.Array(Type.Object({ first: Type.Integer({ minimum: 1 }), last: Type.Integer({ minimum: 1 }) }), {
      description: "Numbers of the matching lines, ascending; consecutive lines are one range",
    }),
    lines: Type.Integer({ minimum: 0, description: "Number of these lines" }),
    steps: Type.Array(Type.String(), { description: "Names of the steps of these lines" }),
    searchedTo: Type.Integer({ minimum: 0, description: "Number of the last line that was searched" }),
    next: Type.Optional(
      Type.Integer({ minimum: 1, description: "Pass it as `fromLine` to search on; missing if all lines so far were searched" }),
    ),
  }),
);

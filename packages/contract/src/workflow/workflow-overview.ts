import Type, { type Static } from "typebox";
import { action } from "../action/action.ts";
import { changeLogVersion } from "../common.ts";
import { initiatorMembers } from "../run/run.ts";
import { usualRuns } from "../run/usual-runs.ts";
import { named, ref, stringEnum } from "../schema.ts";
import { phases, statuses, taskTypes, triggers, waitKinds } from "../status.ts";

/** The state of a workflow: its latest runs by task, its usual values, what failed, what comes next. Durations are milliseconds. */

const orNothing = Type.Unsafe<number | null>({ type: ["integer", "null"], format: "int64" });
const range = named(
  "UsualRange",
  Type.Object({ p10: orNothing, p50: orNothing, p90: orNothing }, { description: "Milliseconds; null if there is nothing to measure" }),
);

export interface WorkflowUsual extends Static<typeof workflowUsual> {}
export const workflowUsual = named(
  "WorkflowUsual",
  Type.Object({
    runs: Type.Integer({ description: `Runs counted: the newest ${usualRuns} at most` }),
    succeeded: Type.Integer(),
    failed: Type.Integer({ description: "Failed, timed out or invalid" }),
    duration: ref(range),
    queueTime: ref(range),
    expected: Type.Optional(
      Type.Integer({ format: "int64", description: "From start to end: the annotation millrace.dev/expected-duration of the workflow" }),
    ),
    deadline: Type.Optional(
      Type.Integer({ format: "int64", description: "From submission to end: the annotation millrace.dev/deadline of the workflow" }),
    ),
  }),
);

export interface GridTask extends Static<typeof gridTask> {}
export const gridTask = named("GridTask", Type.Object({ name: Type.String(), type: stringEnum(taskTypes) }));

export interface GridCell extends Static<typeof gridCell> {}
export const gridCell = named(
  "GridCell",
  Type.Object({
    task: Type.String({ description: "Name of the task" }),
    id: Type.String({ description: "ID of the task run" }),
    status: stringEnum(statuses),
    duration: Type.Integer({ format: "int64", description: "0 until it ends" }),
    waitKind: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String({ description: "Why it failed or was skipped, in words or as a typed word" })),
  }),
);

export interface GridRun extends Static<typeof gridRun> {}
export const gridRun = named(
  "GridRun",
  Type.Object({
    id: Type.String(),
    creationDate: Type.String(),
    startTime: Type.Optional(Type.String()),
    duration: Type.Integer({ format: "int64", description: "0 until it ends" }),
    queued: Type.Optional(Type.Integer({ format: "int64", description: "Absent until it starts" })),
    status: stringEnum(statuses),
    phase: stringEnum(phases),
    waitKinds: Type.Optional(Type.Array(stringEnum(waitKinds))),
    reason: Type.Optional(Type.String()),
    workflowVersion: Type.Integer(),
    trigger: stringEnum(triggers),
    ...initiatorMembers,
    tasks: Type.Array(ref(gridCell)),
  }),
);

export interface FailedRun extends Static<typeof failedRun> {}
export const failedRun = named(
  "FailedRun",
  Type.Object({
    id: Type.String(),
    endDate: Type.String(),
    status: stringEnum(statuses),
    message: Type.Optional(Type.String()),
    task: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String(), message: Type.Optional(Type.String()), hasLog: Type.Boolean() },
        { description: "The first of its tasks that failed (of the first thousand)" },
      ),
    ),
  }),
);

export interface NextTime extends Static<typeof nextTime> {}
export const nextTime = named(
  "NextTime",
  Type.Object({ scheduleRef: Type.String({ description: "ID of the schedule" }), name: Type.String(), date: Type.String() }),
);

export interface WorkflowOverview extends Static<typeof workflowOverview> {}
const someUsual = {
  runs: 30,
  succeeded: 29,
  failed: 1,
  duration: { p10: 90_000, p50: 120_000, p90: 180_000 },
  queueTime: { p10: 10, p50: 40, p90: 400 },
  expected: 240_000,
  deadline: 600_000,
};
export const workflowOverview = named(
  "WorkflowOverview",
  Type.Object(
    {
      usual: ref(workflowUsual),
      tasks: Type.Array(ref(gridTask), { description: "Of the newest run, in its order, then those that only older ones have" }),
      totalTasks: Type.Integer(),
      runs: Type.Array(ref(gridRun), { description: "The newest first" }),
      failures: Type.Array(ref(failedRun), { description: "The latest three, newest first" }),
      actions: Type.Array(ref(action), { description: "The ten oldest open ones" }),
      versions: Type.Array(ref(changeLogVersion), { description: "The latest five, newest first" }),
      nextTimes: Type.Array(ref(nextTime), { description: "Of the five schedules that are due first" }),
    },
    {
      examples: [{ usual: someUsual, tasks: [], totalTasks: 0, runs: [], failures: [], actions: [], versions: [], nextTimes: [] }],
    },
  ),
);

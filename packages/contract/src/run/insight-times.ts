import Type, { type Static } from "typebox";
import { named, ref } from "../schema.ts";

/** How tasks spent their time. Durations are milliseconds; docs/insights.md defines the kinds. */

const milliseconds = (description: string) => Type.Integer({ format: "int64", minimum: 0, description });
const kinds = {
  worker: milliseconds("A worker had it, without the parts below that belong to its attempt (quota and start)"),
  queue: milliseconds("Ready, and not claimed by a worker yet"),
  quota: milliseconds("A quota of the cluster kept its pod back"),
  start: milliseconds("The cluster looked for a node, images were pulled, and its first step was started"),
  retry: milliseconds("Between two attempts, without the queue"),
  lock: milliseconds("For a lock"),
  person: milliseconds("For an approval or a manual task"),
  event: milliseconds("For an event"),
  sleep: milliseconds("For a time"),
  run: milliseconds("For a run of another workflow"),
};

export interface TaskTimes extends Static<typeof taskTimes> {}
export const taskTimes = named("TaskTimes", Type.Object(kinds));

export interface TimesOfTask extends Static<typeof timesOfTask> {}
export const timesOfTask = named(
  "TimesOfTask",
  Type.Object({ task: Type.String({ description: "Its name; empty: further tasks together" }), taskRuns: Type.Integer(), ...kinds }),
);

const someTimes = { worker: 42_000, queue: 300, quota: 0, start: 1_200, retry: 0, lock: 0, person: 0, event: 0, sleep: 0, run: 0 };

export interface RunTimes extends Static<typeof runTimes> {}
export const runTimes = named(
  "RunTimes",
  Type.Object(
    {
      submission: milliseconds("From its submission to its start: in the queue, or waiting for a slot of the team's quota"),
      elapsed: milliseconds("From its start to its end, or until now"),
      total: ref(taskTimes),
      tasks: Type.Array(ref(timesOfTask), { description: "The hundred that took the longest" }),
    },
    {
      examples: [
        {
          submission: 40,
          elapsed: 43_600,
          total: { ...someTimes, person: 3_600_000 },
          tasks: [
            { task: "approve", taskRuns: 1, ...someTimes, worker: 0, queue: 0, start: 0, person: 3_600_000 },
            { task: "build", taskRuns: 1, ...someTimes },
          ],
        },
      ],
    },
  ),
);

export interface TimesOfWorkflow extends Static<typeof timesOfWorkflow> {}
export const timesOfWorkflow = named(
  "TimesOfWorkflow",
  Type.Object({
    workflowRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
    workflowDisplayName: Type.Optional(Type.String()),
    isDeleted: Type.Boolean(),
    taskRuns: Type.Integer(),
    ...kinds,
  }),
);

export interface TaskWorkerTime extends Static<typeof taskWorkerTime> {}
export const taskWorkerTime = named(
  "TaskWorkerTime",
  Type.Object({
    workflowRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
    workflowDisplayName: Type.Optional(Type.String()),
    isDeleted: Type.Boolean(),
    task: Type.String({ description: "Its name; empty: further tasks of a large workflow together" }),
    taskRuns: Type.Integer(),
    worker: kinds.worker,
  }),
);

export interface InsightTimes extends Static<typeof insightTimes> {}
const someWorkflow = { workflowRef: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32", workflowName: "welcome", workflowDisplayName: "Welcome" };
export const insightTimes = named(
  "InsightTimes",
  Type.Object(
    {
      fromDate: Type.String({ description: "The range in whole hours (UTC)" }),
      toDate: Type.String(),
      countedUntil: Type.Optional(
        Type.String({ description: "Runs that ended later are not counted yet; absent when none of the team is counted" }),
      ),
      total: ref(taskTimes),
      workflows: Type.Array(ref(timesOfWorkflow), { description: "The 20 with the most time of workers, then of waits" }),
      tasks: Type.Array(ref(taskWorkerTime), { description: "The 20 with the most time of workers" }),
    },
    {
      examples: [
        {
          fromDate: "2026-03-01T00:00:00.000Z",
          toDate: "2026-03-02T00:00:00.000Z",
          countedUntil: "2026-03-01T12:55:00.000Z",
          total: someTimes,
          workflows: [{ ...someWorkflow, isDeleted: false, taskRuns: 3, ...someTimes }],
          tasks: [{ ...someWorkflow, isDeleted: false, task: "build", taskRuns: 3, worker: 42_000 }],
        },
      ],
    },
  ),
);

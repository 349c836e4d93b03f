import Type, { type Static, type TObject } from "typebox";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { statuses, waitKinds } from "../status.ts";

/** Statistics of runs. Durations are milliseconds, dates ISO 8601 in UTC, rates 0 to 1. */

export interface WorkflowRunSummary extends Static<typeof workflowRunSummary> {}
export const workflowRunSummary = named(
  "WorkflowRunSummary",
  Type.Object({
    id: Type.String(),
    creationDate: Type.String(),
    duration: Type.Integer({ format: "int64", description: "Milliseconds from start to end; 0 until it ends" }),
    status: stringEnum(statuses),
    waitKinds: Type.Optional(
      Type.Array(stringEnum(waitKinds), { maxItems: waitKinds.length, description: "As of a run; only among `latestRuns`" }),
    ),
    workflowRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
  }),
);

/** Exact percentiles of a duration; null if there are no values. */
export interface DurationPercentiles extends Static<typeof durationPercentiles> {}
const milliseconds = Type.Unsafe<number | null>({ type: ["integer", "null"], format: "int64" });
export const durationPercentiles = named(
  "DurationPercentiles",
  Type.Object({ p50: milliseconds, p90: milliseconds, p95: milliseconds, p99: milliseconds, max: milliseconds }),
);

const countMembers = {
  total: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer({ description: "Failed, timed out or invalid; a cancelled run is neither failed nor succeeded" }),
};
/** Counts for a part of the runs: those of a day, a workflow or a team. */
export interface InsightCounts extends Static<TObject<typeof countMembers>> {}
const successRate = Type.Unsafe<number | null>({
  type: ["number", "null"],
  minimum: 0,
  maximum: 1,
  description: "succeeded / (succeeded + failed); null if there are none",
});
const medianDuration = Type.Integer({ format: "int64", description: "The exact median, in milliseconds; 0 if no run has ended" });

export interface InsightDay extends Static<typeof insightDay> {}
export const insightDay = named(
  "InsightDay",
  Type.Object({ date: Type.String({ description: "YYYY-MM-DD in the requested time zone" }), ...countMembers, medianDuration }),
);

const groupMembers = {
  ...countMembers,
  successRate,
  totalDuration: Type.Integer({ format: "int64" }),
  medianDuration,
  p95Duration: Type.Integer({ format: "int64" }),
};

export interface InsightGroup extends Static<TObject<typeof groupMembers>> {}

export interface InsightWorkflow extends Static<typeof insightWorkflow> {}
export const insightWorkflow = named(
  "InsightWorkflow",
  Type.Object({
    workflowRef: Type.String(),
    teamRef: Type.String(),
    workflowName: Type.Optional(Type.String()),
    workflowDisplayName: Type.Optional(Type.String()),
    isDeleted: Type.Boolean({ description: "Its runs count as long as they are kept" }),
    expectedDuration: Type.Optional(Type.Integer({ format: "int64", description: "From start to end, as the workflow sets it" })),
    deadline: Type.Optional(Type.Integer({ format: "int64", description: "From submission to end, as the workflow sets it" })),
    ...groupMembers,
  }),
);

export interface InsightTeam extends Static<typeof insightTeam> {}
export const insightTeam = named(
  "InsightTeam",
  Type.Object({
    teamRef: Type.String(),
    teamName: Type.Optional(Type.String()),
    teamDisplayName: Type.Optional(Type.String()),
    ...groupMembers,
  }),
);

export interface WorkflowRunInsight extends Static<typeof workflowRunInsight> {}
/** One day of one team, on which one of two runs failed. */
const countsExample = { total: 2, succeeded: 1, failed: 1 };
const insightExample = {
  fromDate: "2026-03-01T00:00:00.000Z",
  toDate: "2026-03-02T00:00:00.000Z",
  timezone: "UTC",
  totalRuns: 2,
  concurrentRuns: 0,
  totalDuration: 10_200,
  medianDuration: 5100,
  successRate: 0.5,
  statuses: {
    ...{ notstarted: 0, ready: 0, running: 0, waiting: 0, succeeded: 1 },
    ...{ failed: 1, invalid: 0, skipped: 0, cancelled: 0, timedout: 0 },
  },
  durations: { p50: 5100, p90: 5820, p95: 5910, p99: 5982, max: 6000 },
  queueTimes: { p50: 40, p90: 56, p95: 58, p99: 60, max: 60 },
  days: [{ date: "2026-03-01", ...countsExample, medianDuration: 5100 }],
  workflows: [
    {
      workflowRef: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
      teamRef: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
      workflowName: "welcome",
      workflowDisplayName: "Welcome",
      isDeleted: false,
      ...countsExample,
      successRate: 0.5,
      totalDuration: 10_200,
      medianDuration: 5100,
      p95Duration: 5910,
    },
  ],
  runs: [
    {
      id: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54",
      creationDate: "2026-03-01T12:00:00.000Z",
      duration: 4200,
      status: "succeeded",
      workflowRef: "0198c1de-7d6b-7d44-b2c3-1f0a8e5d4c32",
      workflowName: "welcome",
    },
  ],
};
export const workflowRunInsight = named(
  "WorkflowRunInsight",
  Type.Object(
    {
      fromDate: Type.String(),
      toDate: Type.String(),
      timezone: Type.String(),
      totalRuns: Type.Integer(),
      concurrentRuns: Type.Integer({ description: "Of these, those that are running now" }),
      totalDuration: Type.Integer({ format: "int64", description: "Milliseconds of all runs that have ended" }),
      medianDuration,
      successRate,
      statuses: Type.Record(Type.String(), Type.Integer(), { description: "Number of runs per status, for every status" }),
      durations: ref(durationPercentiles),
      queueTimes: ref(durationPercentiles),
      days: Type.Array(ref(insightDay), { description: "Every day, including days without runs" }),
      workflows: Type.Array(ref(insightWorkflow), { description: "The 20 with the most runs" }),
      teams: orNull(Type.Array(ref(insightTeam), { description: "The 20 with the most runs; for the instance only" })),
      runs: Type.Array(ref(workflowRunSummary), {
        description: "The end of the period, newest first",
      }),
    },
    { examples: [insightExample] },
  ),
);

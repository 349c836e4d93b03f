import Type, { type Static } from "typebox";
import { action } from "./action/action.ts";
import { initiatorMembers } from "./run/run.ts";
import { lateLimits } from "./run/run-expectation.ts";
import { named, ref, stringEnum } from "./schema.ts";
import { phases, statuses, triggers, waitKinds } from "./status.ts";

/** What a user sees first: their teams, what needs their attention, and recent runs. */

export interface OverviewTeam extends Static<typeof overviewTeam> {}
export const overviewTeam = named(
  "OverviewTeam",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    status: stringEnum(["active", "inactive"]),
    workflows: Type.Integer({ minimum: 0 }),
    members: Type.Integer({ minimum: 0 }),
    openActions: Type.Integer({ minimum: 0, description: "Including those assigned to others" }),
    runningRuns: Type.Integer({ minimum: 0, description: "Without those that wait" }),
  }),
);

export interface OverviewRun extends Static<typeof overviewRun> {}
export const overviewRun = named(
  "OverviewRun",
  Type.Object({
    id: Type.String(),
    teamName: Type.String(),
    teamDisplayName: Type.String(),
    workflowRef: Type.String(),
    workflowName: Type.String(),
    workflowDisplayName: Type.String(),
    status: stringEnum(statuses),
    phase: stringEnum(phases),
    trigger: stringEnum(triggers),
    awaitingApproval: Type.Boolean(),
    waitKinds: Type.Optional(Type.Array(stringEnum(waitKinds), { description: "As in WorkflowRun" })),
    ...initiatorMembers,
    creationDate: Type.String(),
    startTime: Type.Optional(Type.String()),
    duration: Type.Integer({ minimum: 0, format: "int64", description: "Milliseconds from start to end; 0 until it ends" }),
  }),
);

const place = { teamName: Type.String(), workflowName: Type.String(), workflowDisplayName: Type.String() };

export interface FailedWorkflow extends Static<typeof failedWorkflow> {}
export const failedWorkflow = named(
  "FailedWorkflow",
  Type.Object({
    ...place,
    failed: Type.Integer({ description: "Runs that failed in the last day, of the latest hundred for each status" }),
    run: Type.String({ description: "ID of the newest of them" }),
    status: stringEnum(statuses),
    message: Type.Optional(Type.String()),
    endDate: Type.String(),
  }),
);

export interface LateRun extends Static<typeof lateRun> {}
export const lateRun = named(
  "LateRun",
  Type.Object({
    ...place,
    run: Type.String({ description: "ID of the run" }),
    limit: stringEnum(lateLimits, { description: "What it is late against" }),
    dueDate: Type.String(),
    startTime: Type.Optional(Type.String()),
    usualDuration: Type.Optional(Type.Integer({ description: "Milliseconds that 95 of 100 runs took no longer than" })),
    expectedDuration: Type.Optional(Type.Integer({ description: "Milliseconds: what its workflow, or its submission, sets" })),
  }),
);

export interface NextRun extends Static<typeof nextRun> {}
export const nextRun = named("NextRun", Type.Object({ ...place, schedule: Type.String(), date: Type.String() }));

export interface Favourite extends Static<typeof favourite> {}
export const favourite = named(
  "Favourite",
  Type.Object({
    ...place,
    run: Type.Optional(
      Type.Object(
        { id: Type.String(), status: stringEnum(statuses), waitKinds: Type.Array(stringEnum(waitKinds)), creationDate: Type.String() },
        { description: "The newest" },
      ),
    ),
  }),
);

export interface Health extends Static<typeof health> {}
export const health = named(
  "Health",
  Type.Object({
    workers: Type.Integer({ description: "Workers that are alive" }),
    oldestSeconds: Type.Integer({ description: "How long the oldest task run of all teams has waited for a worker; of 1,000 that wait" }),
    queue: stringEnum(["healthy", "late"], { description: "late: it has waited longer than the setting `alerts.queueMinutes`" }),
    database: stringEnum(["healthy", "full", "away"]),
  }),
);

export interface Overview extends Static<typeof overview> {}
const exampleTeam = {
  id: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e",
  name: "hawks",
  displayName: "Hawks",
  status: "active",
  workflows: 1,
  members: 3,
  openActions: 1,
  runningRuns: 1,
};
export const overview = named(
  "Overview",
  Type.Object(
    {
      teams: Type.Array(ref(overviewTeam), { description: "By name; the first hundred" }),
      totalTeams: Type.Integer({ minimum: 0 }),
      actions: Type.Array(ref(action), { description: "Open actions on which the caller can vote and hasn't, oldest first" }),
      runs: Type.Array(ref(overviewRun), { description: "The latest first" }),
      setupOpen: Type.Optional(Type.Boolean({ description: "Present for administrators while the checklist of a new instance is open" })),
      waits: Type.Record(Type.String(), Type.Integer(), {
        description: "Runs of which nothing runs, by what they wait for: `action`, `event`, `sleep`, `retry`, `lock`, `run`",
      }),
      failures: Type.Array(ref(failedWorkflow), { description: "Workflows of which runs failed in the last day, the latest first" }),
      late: Type.Array(ref(lateRun), { description: "Open runs that are late by the rules of alerts, the longest first" }),
      nextRuns: Type.Array(ref(nextRun), { description: "Of the schedules that are due first" }),
      favourites: Type.Array(ref(favourite), { description: "Workflows that you have marked; empty for a token without a user" }),
      health: ref(health),
    },
    {
      examples: [
        {
          ...{ teams: [exampleTeam], totalTeams: 1, actions: [], runs: [], waits: { action: 1 } },
          ...{ failures: [], late: [], nextRuns: [], favourites: [] },
          health: { workers: 2, oldestSeconds: 0, queue: "healthy", database: "healthy" },
        },
      ],
    },
  ),
);

import Type, { type Static } from "typebox";
import { action } from "./action.ts";
import { initiatorMembers } from "./run.ts";
import { named, ref, stringEnum } from "./schema.ts";
import { phases, statuses, triggers, waitKinds } from "./status.ts";

/** What a user sees first: their teams, what waits for them, and what ran lately. */

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
    runningRuns: Type.Integer({ minimum: 0 }),
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
    },
    { examples: [{ teams: [exampleTeam], totalTeams: 1, actions: [], runs: [] }] },
  ),
);

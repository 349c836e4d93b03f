import Type from "typebox";
import "./action.ts";
import type { Action } from "./action.ts";
import { initiatorMembers } from "./initiator.ts";
import { named, ref, stringEnum } from "./schema.ts";
import { type InitiatorType, type Phase, phases, type Status, statuses, type TriggerKind, triggers } from "./status.ts";

/** What somebody sees first: his teams, what waits for him, and what ran lately. */

export interface OverviewTeam {
  id: string;
  name: string;
  displayName: string;
  status: "active" | "inactive";
  workflows: number;
  members: number;
  openActions: number;
  runningRuns: number;
}
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

export interface OverviewRun {
  id: string;
  teamName: string;
  teamDisplayName: string;
  workflowRef: string;
  workflowName: string;
  workflowDisplayName: string;
  status: Status;
  phase: Phase;
  trigger: TriggerKind;
  awaitingApproval: boolean;
  initiatedByRef?: string;
  initiatedByType?: InitiatorType;
  initiatedByName?: string;
  creationDate: string;
  startTime?: string;
  duration: number;
}
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
    ...initiatorMembers,
    creationDate: Type.String(),
    startTime: Type.Optional(Type.String()),
    duration: Type.Integer({ minimum: 0, format: "int64", description: "Milliseconds from start to end; 0 until it ends" }),
  }),
);

export interface Overview {
  teams: OverviewTeam[];
  totalTeams: number;
  actions: Action[];
  runs: OverviewRun[];
}
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
      teams: Type.Array(ref<OverviewTeam>("OverviewTeam"), { description: "By name; the first hundred" }),
      totalTeams: Type.Integer({ minimum: 0 }),
      actions: Type.Array(ref<Action>("Action"), { description: "Open actions on which the caller can vote and hasn't, oldest first" }),
      runs: Type.Array(ref<OverviewRun>("OverviewRun"), { description: "The latest first" }),
    },
    { examples: [{ teams: [exampleTeam], totalTeams: 1, actions: [], runs: [] }] },
  ),
);

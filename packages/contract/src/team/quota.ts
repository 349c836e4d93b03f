import Type, { type Static } from "typebox";
import { named } from "../schema.ts";

/** The limits of a team. In a request, null or a missing member means: unchanged (PATCH) or the default (POST). */
const limit = (description: string, minimum: number) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], minimum, maximum: 2_000_000_000, description }));
const limits = {
  maxWorkflowCount: limit("Maximum number of workflows of a team", 0),
  maxWorkflowRunMonthly: limit("Maximum number of runs submitted in a calendar month (UTC)", 0),
  maxWorkflowStorage: limit("Gi, for each workspace kept per workflow", 0),
  maxWorkflowRunStorage: limit("Gi, for each workspace of a single run", 0),
  maxWorkflowRunDuration: limit("Maximum active minutes of a run; time spent waiting doesn't count", 1),
  maxConcurrentRuns: limit("Maximum number of active runs of a team; runs that only wait don't count", 0),
  maxWaitingRuns: limit("Maximum number of runs of a team that have started and only wait", 0),
};

export const quotaNames = [
  "maxWorkflowCount",
  "maxWorkflowRunMonthly",
  "maxWorkflowStorage",
  "maxWorkflowRunStorage",
  "maxWorkflowRunDuration",
  "maxConcurrentRuns",
  "maxWaitingRuns",
] as const satisfies readonly (keyof typeof limits)[];
export type QuotaName = (typeof quotaNames)[number];

export interface Quotas extends Static<typeof quotas> {}
export const quotas = named(
  "Quotas",
  Type.Object(limits, {
    examples: [
      {
        maxWorkflowCount: 25,
        maxWorkflowRunMonthly: 300,
        maxWorkflowStorage: 2,
        maxWorkflowRunStorage: 2,
        maxWorkflowRunDuration: 120,
        maxConcurrentRuns: 4,
        maxWaitingRuns: 100_000,
      },
    ],
  }),
);

/** The limits that apply, and how much of them is used. */
export interface CurrentQuotas extends Static<typeof currentQuotas> {}
export const currentQuotas = named(
  "CurrentQuotas",
  Type.Object({
    ...limits,
    currentWorkflowCount: Type.Integer({ minimum: 0 }),
    currentRuns: Type.Integer({ minimum: 0, description: "Runs submitted this month" }),
    currentConcurrentRuns: Type.Integer({ minimum: 0 }),
    currentWaitingRuns: Type.Integer({ minimum: 0, description: "Runs that have started and only wait now" }),
    currentRunTotalDuration: Type.Integer({ minimum: 0, description: "Milliseconds, of the ended runs of this month" }),
    currentRunMedianDuration: Type.Integer({ minimum: 0, description: "Milliseconds, of the ended runs of this month" }),
    monthlyResetDate: Type.String({ format: "date-time", description: "When the number of runs resets" }),
  }),
);

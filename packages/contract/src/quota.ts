import Type from "typebox";
import { named } from "./schema.ts";

/** The six limits of a team. In a request null or a missing one means: leave as it is (PATCH) or the default (POST). */
const limit = (description: string, minimum: number) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], minimum, maximum: 2_000_000_000, description }));
const limits = {
  maxWorkflowCount: limit("Workflows a team may have", 0),
  maxWorkflowRunMonthly: limit("Runs a team may submit in a calendar month (UTC)", 0),
  maxWorkflowStorage: limit("Gi, of each workspace that is kept per workflow", 0),
  maxWorkflowRunStorage: limit("Gi, of each workspace that is kept per run", 0),
  maxWorkflowRunDuration: limit("Minutes that a run may take", 1),
  maxConcurrentRuns: limit("Runs of a team that may be running at the same time", 0),
};

export const quotaNames = [
  "maxWorkflowCount",
  "maxWorkflowRunMonthly",
  "maxWorkflowStorage",
  "maxWorkflowRunStorage",
  "maxWorkflowRunDuration",
  "maxConcurrentRuns",
] as const;
export type QuotaName = (typeof quotaNames)[number];

export type Quotas = { [Name in QuotaName]?: number | null };
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
      },
    ],
  }),
);

/** The limits in force, and how much of them is used. */
export interface CurrentQuotas extends Quotas {
  currentWorkflowCount: number;
  currentRuns: number;
  currentConcurrentRuns: number;
  currentRunTotalDuration: number;
  currentRunMedianDuration: number;
  monthlyResetDate: string;
}
export const currentQuotas = named(
  "CurrentQuotas",
  Type.Object({
    ...limits,
    currentWorkflowCount: Type.Integer({ minimum: 0 }),
    currentRuns: Type.Integer({ minimum: 0, description: "Runs submitted this month" }),
    currentConcurrentRuns: Type.Integer({ minimum: 0 }),
    currentRunTotalDuration: Type.Integer({ minimum: 0, description: "Milliseconds, of the ended runs of this month" }),
    currentRunMedianDuration: Type.Integer({ minimum: 0, description: "Milliseconds, of the ended runs of this month" }),
    monthlyResetDate: Type.String({ format: "date-time", description: "When the count of runs begins anew" }),
  }),
);

import Type, { type Static } from "typebox";
import { runParam } from "../common.ts";
import { page } from "../page.ts";
import { labelMap, named, ref, stringEnum } from "../schema.ts";
import { phases, statuses, triggers } from "../status.ts";

/** Actions on all runs that match a filter. */

export const bulkActions = ["cancel", "retry", "rerun"] as const;
export type BulkAction = (typeof bulkActions)[number];

const texts = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 1000, description }));
const words = <const Words extends readonly string[]>(list: Words) => Type.Optional(Type.Array(stringEnum(list), { maxItems: 100 }));
const time = (description: string) =>
  Type.Optional(Type.Integer({ format: "int64", minimum: 0, maximum: 8_640_000_000_000_000, description }));

/** Selects runs: the parameters of the query of runs, as members. */
export const runFilterMembers = {
  search: Type.Optional(Type.String({ maxLength: 200, description: "Words, as `search` of the query of runs" })),
  labels: Type.Optional(labelMap({ description: "All must match" })),
  workflows: texts("Names or IDs of workflows"),
  initiators: texts("Who or what started them"),
  fromDate: time("Created at this time or later, in milliseconds since the epoch"),
  toDate: time("Created before this time"),
  statuses: words(statuses),
  phase: words(phases),
  triggers: words(triggers),
  workflowruns: texts("IDs of runs"),
  acknowledged: Type.Optional(Type.Boolean({ description: "Whether its failure was acknowledged" })),
  waits: Type.Optional(Type.Boolean({ description: "Only runs that have begun and of which nothing runs, or none of them" })),
};

export interface RunListFilter extends Static<typeof runListFilter> {}
export const runListFilter = named("RunListFilter", Type.Object(runFilterMembers));

/** How a bulk rerun runs its runs. */
export interface BulkRerun extends Static<typeof bulkRerun> {}
export const bulkRerun = named(
  "BulkRerun",
  Type.Object({
    from: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
        maxItems: 100,
        description: "Names of tasks; runs without them fail to be rerun",
      }),
    ),
    version: Type.Optional(stringEnum(["same", "latest"], { description: "Of the workflow; default: that of each run" })),
    params: Type.Optional(Type.Array(ref(runParam), { maxItems: 100, description: "Instead of those of the runs, by name. No secrets" })),
  }),
);

export interface BulkRequest extends Static<typeof bulkRequest> {}
export const bulkRequest = named(
  "BulkRequest",
  Type.Object(
    {
      action: stringEnum(bulkActions),
      filter: ref(runListFilter),
      rerun: Type.Optional(ref(bulkRerun)),
      expected: Type.Optional(
        Type.Integer({ minimum: 0, description: "The number of runs that you have seen: 409 if another number matches now" }),
      ),
    },
    { examples: [{ action: "rerun", filter: { statuses: ["failed"], fromDate: 1_760_000_000_000 }, expected: 1204 }] },
  ),
);

export interface BulkPlanRequest extends Static<typeof bulkPlanRequest> {}
export const bulkPlanRequest = named("BulkPlanRequest", Type.Object({ filter: ref(runListFilter), rerun: Type.Optional(ref(bulkRerun)) }));

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What a bulk rerun would do. */
export interface BulkPlan extends Static<typeof bulkPlan> {}
export const bulkPlan = named(
  "BulkPlan",
  Type.Object({
    total: count("Runs that match"),
    looked: count("Runs that were planned: all, or some of them, evenly spread, if there are too many"),
    willRun: count("Of these, runs of which something runs"),
    nothing: count("Of these, runs of which everything is reused, so that they fail to be rerun"),
    refused: count("Of these, runs that can't be rerun, such as runs that are still open"),
    unmapped: count("Of these, runs with tasks that the version does not have"),
    tasks: Type.Record(Type.String(), Type.Integer(), {
      description: "Tasks of these runs: `reused`, and those that run again by why (`failed`, `downstream` …)",
    }),
    messages: Type.Array(Type.String(), { description: "Why runs are refused, the first ten" }),
  }),
);

export interface BulkOperation extends Static<typeof bulkOperation> {}
export const bulkOperation = named(
  "BulkOperation",
  Type.Object({
    id: Type.String(),
    action: stringEnum(bulkActions),
    filter: ref(runListFilter),
    rerun: Type.Optional(ref(bulkRerun)),
    status: stringEnum(["running", "completed", "cancelled"]),
    creationDate: Type.String(),
    endDate: Type.Optional(Type.String()),
    createdByRef: Type.String({ description: "ID of the user or token" }),
    createdByName: Type.String(),
    total: Type.Integer({ minimum: 0, description: "Runs that matched when it was requested" }),
    done: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    left: Type.Integer({ minimum: 0, description: "Not tried yet, or never if it was cancelled" }),
  }),
);
export const bulkOperationPage = page("PageBulkOperation", bulkOperation);

export const bulkOutcomes = ["open", "done", "failed"] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

export interface BulkRun extends Static<typeof bulkRun> {}
export const bulkRun = named(
  "BulkRun",
  Type.Object({
    workflowRunRef: Type.String(),
    outcome: stringEnum(bulkOutcomes),
    message: Type.Optional(Type.String({ description: "Why it failed" })),
    newWorkflowRunRef: Type.Optional(Type.String({ description: "ID of the run that a retry or a rerun created" })),
    date: Type.Optional(Type.String({ description: "When it was tried" })),
  }),
);
export const bulkRunPage = page("PageBulkRun", bulkRun);

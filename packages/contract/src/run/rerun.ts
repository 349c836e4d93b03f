import Type, { type Static } from "typebox";
import { runParam } from "../common.ts";
import { page } from "../page.ts";
import { named, ref, stringEnum } from "../schema.ts";
import { phases, statuses, taskTypes, waitKinds } from "../status.ts";

/** Running a run again from any task, with a preview of what that will do. */

/** Why a task of a rerun runs again. */
export const rerunReasons = [
  "chosen",
  "new",
  "failed",
  "not-run-before",
  "definition-changed",
  "input-changed",
  "downstream",
  "workspace",
  "lock",
  "approval",
  "handler",
  "undone",
] as const;
export type RerunReason = (typeof rerunReasons)[number];

export const rerunDecisions = ["reused", "again", "marked"] as const;
export type RerunDecision = (typeof rerunDecisions)[number];

export const unmappedReasons = ["removed", "renamed", "type-changed"] as const;
export type UnmappedReason = (typeof unmappedReasons)[number];

const rerunMembers = {
  from: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
      maxItems: 1000,
      description: "Names of tasks to run again, with all that follow them; what failed or did not run is among them without being named",
    }),
  ),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: "Version of the workflow, that of the run or a later one; default: that of the run",
    }),
  ),
  params: Type.Optional(
    Type.Array(ref(runParam), { maxItems: 1000, description: "Instead of those of the run, by name; the others stay what they were" }),
  ),
};

export interface RerunPlanRequest extends Static<typeof rerunPlanRequest> {}
export const rerunPlanRequest = named(
  "RerunPlanRequest",
  Type.Object(rerunMembers, { examples: [{ from: ["deploy"], version: 4, params: [{ name: "city", value: "Oslo" }] }] }),
);

const plan = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The `digest` of the plan that you have seen: 409 if the plan is another one now",
  }),
);

export interface RerunRequest extends Static<typeof rerunRequest> {}
export const rerunRequest = named(
  "RerunRequest",
  Type.Object({ ...rerunMembers, plan }, { examples: [{ from: ["deploy"], params: [{ name: "city", value: "Oslo" }] }] }),
);

const marked = {
  task: Type.String({ minLength: 1, maxLength: 400, description: "Name of a task that failed" }),
  results: Type.Optional(Type.Array(runParam, { maxItems: 1000, description: "Its results, by name: those that the task declares" })),
};

export interface MarkPlanRequest extends Static<typeof markPlanRequest> {}
export const markPlanRequest = named("MarkPlanRequest", Type.Object(marked));

export interface MarkSucceededRequest extends Static<typeof markSucceededRequest> {}
export const markSucceededRequest = named(
  "MarkSucceededRequest",
  Type.Object(
    {
      ...marked,
      reason: Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S", description: "Why, for those who read the run later" }),
      plan,
    },
    { examples: [{ task: "deploy", results: [{ name: "url", value: "https://shop.example.com" }], reason: "Deployed from the console" }] },
  ),
);

export interface RerunPlanTask extends Static<typeof rerunPlanTask> {}
export const rerunPlanTask = named(
  "RerunPlanTask",
  Type.Object({
    task: Type.String({ description: "Name of the task in the workflow" }),
    type: stringEnum(taskTypes),
    decision: stringEnum(rerunDecisions, { description: "marked: it does not run, and its results are given" }),
    why: Type.Optional(stringEnum(rerunReasons, { description: "Why it runs again" })),
    text: Type.String({ description: "Why, in a sentence" }),
    taskRunRef: Type.Optional(Type.String({ description: "ID of the task run of the run whose results are reused" })),
    reusesItems: Type.Optional(Type.Integer({ minimum: 1, description: "Of a forEach that runs again: items that are reused" })),
  }),
);

export interface RerunUnmapped extends Static<typeof rerunUnmapped> {}
export const rerunUnmapped = named(
  "RerunUnmapped",
  Type.Object({
    task: Type.String({ description: "Name of a task of the run of which nothing can be reused" }),
    why: stringEnum(unmappedReasons),
    text: Type.String(),
  }),
);

export interface DeclaredResult extends Static<typeof declaredResult> {}
export const declaredResult = named(
  "DeclaredResult",
  Type.Object({
    name: Type.String(),
    type: Type.Optional(Type.String({ description: "string, array or object; absent: any value" })),
    description: Type.Optional(Type.String()),
  }),
);

export interface RerunPlan extends Static<typeof rerunPlan> {}
export const rerunPlan = named(
  "RerunPlan",
  Type.Object({
    digest: Type.String({ description: "Stands for the whole plan" }),
    workflowRunRef: Type.String({ description: "ID of the run that is run again" }),
    runVersion: Type.Integer({ description: "The version of the workflow that ran" }),
    version: Type.Integer({ description: "The version that will run" }),
    latestVersion: Type.Integer(),
    reused: Type.Integer({ minimum: 0, description: "Tasks that are reused" }),
    again: Type.Integer({ minimum: 0, description: "Tasks that run again, or for the first time" }),
    tasks: Type.Array(ref(rerunPlanTask), { description: "In the order of the workflow" }),
    unmapped: Type.Array(ref(rerunUnmapped)),
    declaredResults: Type.Optional(
      Type.Array(ref(declaredResult), { description: "Of a plan to mark a task as succeeded: the results that the task declares" }),
    ),
  }),
);

/** For a run that was created from another one. */
export interface RunOrigin extends Static<typeof runOrigin> {}
export const runOrigin = named(
  "RunOrigin",
  Type.Object({
    workflowRunRef: Type.String({ description: "ID of the run that it runs again" }),
    version: Type.Integer({ description: "The version of the workflow that this run had" }),
    reused: Type.Integer({ minimum: 0, description: "Task runs that it reuses" }),
  }),
);

/** For a task run that was reused from another run. */
export interface TaskRunOrigin extends Static<typeof taskRunOrigin> {}
export const taskRunOrigin = named(
  "TaskRunOrigin",
  Type.Object({
    how: stringEnum(["reused", "marked"], { description: "marked: a person marked it as succeeded" }),
    workflowRunRef: Type.String({ description: "ID of the run in which it ran" }),
    taskRunRef: Type.String({ description: "ID of the task run, with its log" }),
    byRef: Type.Optional(Type.String({ description: "Who marked it" })),
    byName: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    date: Type.Optional(Type.String()),
  }),
);

/** An entry in the list of runs that were created from a run. */
export interface RunRerun extends Static<typeof runRerun> {}
export const runRerun = named(
  "RunRerun",
  Type.Object({
    workflowRunRef: Type.String({ description: "ID of the new run" }),
    version: Type.Integer({ description: "Its version of the workflow" }),
    status: stringEnum(statuses),
    phase: stringEnum(phases),
    waitKinds: Type.Optional(
      Type.Array(stringEnum(waitKinds), { description: "What its tasks wait for, if it is running and none of them is; absent otherwise" }),
    ),
    reused: Type.Integer({ minimum: 0, description: "Task runs that it reuses" }),
    creationDate: Type.String(),
    initiatedByRef: Type.Optional(Type.String()),
  }),
);
export const runRerunPage = page("PageRunRerun", runRerun);

import Type, { type Static } from "typebox";
import { named, openObject, ref } from "../schema.ts";
import { workflowProblem } from "../workflow/workflow-problem.ts";

/** Marks a run as a trial, and says of what. */
export interface RunTrial extends Static<typeof runTrial> {}
export const runTrial = named(
  "RunTrial",
  openObject({
    workflow: Type.Optional(Type.String({ description: "Name of the workflow; absent when a task was tried" })),
    version: Type.Optional(Type.Integer({ description: "The saved version that is tried; absent for a draft, which has none" })),
    only: Type.Optional(Type.String({ description: "The only task that runs" })),
    upTo: Type.Optional(Type.String({ description: "The last task that runs" })),
    pinned: Type.Optional(Type.Array(Type.String(), { description: "Names of the tasks that do not run" })),
    warnings: Type.Optional(
      Type.Array(ref(workflowProblem), { description: "Likely mistakes in the draft, in the response to the request only" }),
    ),
  }),
);

/** Marks a run as one of a nested workflow, and says of which. Such runs appear in no list and in no statistics. */
export interface NestedRun extends Static<typeof nestedRun> {}
export const nestedRun = named(
  "NestedRun",
  openObject({
    workflowRef: Type.String({ description: "ID of the workflow in whose document it stands" }),
    workflow: Type.Optional(Type.String({ description: "Its name; absent if it was deleted" })),
    task: Type.String({
      description: "The task that has it; if nested, all names with / between them, escaped as in a JSON pointer",
    }),
  }),
);

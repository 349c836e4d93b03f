import Type, { type Static } from "typebox";
import { named, ref } from "../schema.ts";

export interface RunLogMatch extends Static<typeof runLogMatch> {}
export const runLogMatch = named(
  "RunLogMatch",
  Type.Object({
    taskRunRef: Type.String(),
    taskName: Type.String(),
    item: Type.Optional(Type.Integer({ minimum: 0, description: "Index of the item, if the task has `forEach`" })),
    step: Type.Optional(Type.String()),
    line: Type.Integer({ minimum: 1, description: "Number of the line in the log of the task run" }),
    date: Type.String(),
    text: Type.String({ description: "The line, or its first 1,000 characters" }),
  }),
);

/** Matching lines in the logs of a run. */
export interface RunLogSearch extends Static<typeof runLogSearch> {}
export const runLogSearch = named(
  "RunLogSearch",
  Type.Object({
    matches: Type.Array(ref(runLogMatch), { description: "By task, in the order of the workflow, then by line" }),
    searchedTasks: Type.Integer({ minimum: 0, description: "Logs that this request has read to their end" }),
    next: Type.Union([Type.String(), Type.Null()], { description: "Where to continue; null: everything was searched" }),
  }),
);

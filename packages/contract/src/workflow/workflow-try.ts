import Type, { type Static } from "typebox";
import { runParam } from "../common.ts";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { workflow } from "./workflow.ts";

/** How a task that does not run in a trial ends instead. */
export const pinStatuses = ["succeeded", "failed", "timedout", "skipped"] as const;
export type PinStatus = (typeof pinStatuses)[number];

/** Characters of JSON, for one pinned result and for all together. */
export const maxPinnedResult = 1024 * 1024;
export const maxPinnedResults = 8 * 1024 * 1024;
export const maxPinnedTasks = 1000;

/** The results of a pinned task, which does not run in the trial. */
export interface TaskPin extends Static<typeof taskPin> {}
export const taskPin = named(
  "TaskPin",
  Type.Object({
    status: orNull(stringEnum(pinStatuses, { description: "Default: succeeded" })),
    results: orNull(
      Type.Array(
        Type.Object({ name: Type.String({ minLength: 1, maxLength: 256 }), value: Type.Unknown({ description: "Any JSON value" }) }),
        { maxItems: 1000, description: "Each has 1 MiB of JSON at most, all of a trial together 8 MiB" },
      ),
    ),
    decision: orNull(Type.String({ maxLength: maxPinnedResult, description: "Of a switch: the value that it compares" })),
  }),
);

export const pinnedTasks = Type.Record(Type.String(), ref(taskPin), {
  maxProperties: maxPinnedTasks,
  description: "By the name of the task: it does not run, but ends at once like this",
});

/** The workflow that a trial or a preview is about. */
export const draftMembers = {
  draft: Type.Optional(ref(workflow)),
  draftDocument: orNull(Type.String({ minLength: 1, description: "The draft as YAML instead; problems have their line" })),
  version: orNull(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the latest. Not with a draft" })),
};

export const valueMembers = {
  params: orNull(
    Type.Array(ref(runParam), { maxItems: 1000, description: "Left out, a parameter has the value of `fromRun`, or its default" }),
  ),
  pinned: orNull(pinnedTasks),
  fromRun: orNull(
    Type.String({
      maxLength: 64,
      description: "ID of a run of the team, which may be a trial: its parameters are defaults for `params`, except secrets",
    }),
  ),
};

/** What part of a workflow is tried, and with which values. */
export interface WorkflowTryRequest extends Static<typeof workflowTryRequest> {}
export const workflowTryRequest = named(
  "WorkflowTryRequest",
  Type.Object(
    {
      ...draftMembers,
      ...valueMembers,
      only: orNull(
        Type.String({
          minLength: 1,
          description: "Name of the only task that runs. Results that it refers to are pinned, or those of succeeded tasks of `fromRun`",
        }),
      ),
      upTo: orNull(
        Type.String({ minLength: 1, description: "Name of a task: it runs with all tasks before it, and nothing else. Not with `only`" }),
      ),
    },
    {
      examples: [
        {
          only: "greet",
          params: [{ name: "city", value: "Oslo" }],
          pinned: { "look up": { results: [{ name: "weather", value: "sunny" }] } },
        },
      ],
    },
  ),
);

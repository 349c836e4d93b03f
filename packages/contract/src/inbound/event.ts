import Type, { type Static } from "typebox";
import { type WorkflowRun, workflowRun } from "../run/run.ts";
import { named, ref } from "../schema.ts";

/** What an event started that was not for one workflow: all that it fits, or all events of a batch. */

/** A workflow whose trigger fits, but which could not be started. The others were. */
export interface RefusedRun extends Static<typeof refusedRun> {}
export const refusedRun = named(
  "RefusedRun",
  Type.Object({
    workflowRef: Type.String({ description: "ID of the workflow" }),
    workflowName: Type.String(),
    reason: Type.String({ examples: ["QUOTA_EXCEEDED"] }),
    message: Type.String(),
  }),
);

export interface TriggeredRuns extends Static<typeof triggeredRuns> {}
export const triggeredRuns = named(
  "TriggeredRuns",
  Type.Object({
    runs: Type.Array(ref(workflowRun)),
    refused: Type.Array(ref(refusedRun), { description: "Workflows that match but could not be started" }),
  }),
);

/** What the chat platform asks for before it sends anything else. */
export const chatChallenge = named("ChatChallenge", Type.Object({ challenge: Type.String() }));

/** What an event is answered with: one run where it is for one workflow, else all that it started. */
export const eventAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns>({ anyOf: [ref(workflowRun), ref(triggeredRuns)] });

/** The same for webhooks, which the chat platform also tries out. */
export const webhookAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns | Static<typeof chatChallenge>>({
  anyOf: [ref(workflowRun), ref(triggeredRuns), ref(chatChallenge)],
});

export const maxEventsOfBatch = 100;

import Type, { type Static } from "typebox";
import { type WorkflowRun, workflowRun } from "../run/run.ts";
import { named, ref } from "../schema.ts";

/** What an event started that was not for one specific workflow: the runs of all matching workflows, or of all events of a batch. */

/** A workflow whose trigger matches, but whose run was refused. The other runs were started. */
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

/** The chat platform requests this before it sends anything else. */
export const chatChallenge = named("ChatChallenge", Type.Object({ challenge: Type.String() }));

/** The response to an event: one run if it was for one workflow, otherwise all that it started. */
export const eventAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns>({ anyOf: [ref(workflowRun), ref(triggeredRuns)] });

/** The same for webhooks, which also receive the challenge of the chat platform. */
export const webhookAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns | Static<typeof chatChallenge>>({
  anyOf: [ref(workflowRun), ref(triggeredRuns), ref(chatChallenge)],
});

export const maxEventsOfBatch = 100;

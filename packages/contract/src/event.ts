import Type from "typebox";
import "./run.ts";
import type { WorkflowRun } from "./run.ts";
import { named, ref } from "./schema.ts";

/** What an event started that was not for one workflow: all that it fits, or all events of a batch. */

/** A workflow whose trigger fits, but which could not be started. The others were. */
export interface RefusedRun {
  workflowRef: string;
  workflowName: string;
  reason: string;
  message: string;
}
export const refusedRun = named(
  "RefusedRun",
  Type.Object({
    workflowRef: Type.String({ description: "ID of the workflow" }),
    workflowName: Type.String(),
    reason: Type.String({ examples: ["QUOTA_EXCEEDED"] }),
    message: Type.String(),
  }),
);

export interface TriggeredRuns {
  runs: WorkflowRun[];
  refused: RefusedRun[];
}
export const triggeredRuns = named(
  "TriggeredRuns",
  Type.Object({
    runs: Type.Array(ref<WorkflowRun>("WorkflowRun")),
    refused: Type.Array(ref<RefusedRun>("RefusedRun"), { description: "Workflows that match but could not be started" }),
  }),
);

/** What the chat platform asks for before it sends anything else. */
export const chatChallenge = named("ChatChallenge", Type.Object({ challenge: Type.String() }));

/** What an event is answered with: one run where it is for one workflow, else all that it started. */
export const eventAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns>({ anyOf: [Type.Ref("WorkflowRun"), Type.Ref("TriggeredRuns")] });

/** The same for webhooks, which the chat platform also tries out. */
export const webhookAnswer = Type.Unsafe<WorkflowRun | TriggeredRuns | { challenge: string }>({
  anyOf: [Type.Ref("WorkflowRun"), Type.Ref("TriggeredRuns"), Type.Ref("ChatChallenge")],
});

export const maxEventsOfBatch = 100;

import Type, { type Static } from "typebox";
import { workflowSubmitRequest } from "../run/run.ts";
import { named, orNull, ref, stringEnum } from "../schema.ts";
import { trigger } from "./trigger.ts";

/** Tests whether an event would match the trigger of a workflow, without starting anything. */

/** The kinds of triggers that have conditions or filters; manual and schedule have none. */
export const testedKinds = ["webhook", "event", "codehost", "workflow"] as const;
export type TestedKind = (typeof testedKinds)[number];

export interface TriggerTestRequest extends Static<typeof triggerTestRequest> {}
export const triggerTestRequest = named(
  "TriggerTestRequest",
  Type.Object(
    {
      kind: stringEnum(testedKinds),
      trigger: orNull(ref(trigger), { description: "Members that are not saved yet; they replace the saved ones" }),
      payload: orNull(
        Type.Record(Type.String(), Type.Unknown(), {
          description: "For webhook and codehost the object that is sent, for event the CloudEvent as JSON",
        }),
      ),
      event: orNull(Type.String({ minLength: 1, maxLength: 100, description: "For codehost: the name of the event, such as push" })),
      workflowRunRef: orNull(Type.String({ description: "For workflow: ID of a finished run of the team" })),
    },
    {
      examples: [
        {
          kind: "codehost",
          event: "push",
          payload: { ref: "refs/heads/main", repository: { name: "shop", full_name: "org/shop" }, installation: { id: 42 } },
        },
      ],
    },
  ),
);

/** One condition or filter, including nested ones. */
export interface TriggerCheck extends Static<typeof triggerCheck> {}
export const triggerCheck = named(
  "TriggerCheck",
  Type.Object({
    path: Type.String({ description: "JSON pointer into the trigger", examples: ["/conditions/0", "/filters/1/any/0"] }),
    holds: Type.Boolean(),
    found: Type.Optional(
      Type.Array(Type.String(), { description: "For conditions: the values of the field, at most 20 texts of 200 characters" }),
    ),
  }),
);

export interface TriggerTest extends Static<typeof triggerTest> {}
export const triggerTest = named(
  "TriggerTest",
  Type.Object(
    {
      holds: Type.Boolean({ description: "All conditions and filters match" }),
      checks: Type.Array(ref(triggerCheck)),
      blockers: Type.Array(Type.String(), { description: "Why it would not start a run anyway, as sentences" }),
      attributes: Type.Record(Type.String(), Type.Unknown(), { description: "Attributes that filters check" }),
      words: Type.Record(Type.String(), Type.Array(Type.String()), { description: "Values of the words in fields of conditions" }),
      submission: ref(workflowSubmitRequest),
    },
    {
      examples: [
        {
          holds: false,
          checks: [
            { path: "/conditions/0", holds: true, found: ["push"] },
            { path: "/conditions/1", holds: false, found: ["main"] },
          ],
          blockers: ["The trigger codehost of workflow welcome is off."],
          attributes: { specversion: "1.0", type: "push", subject: "refs/heads/main", repository: "org/shop" },
          words: { events: ["push"], actions: [], repositories: ["shop", "org/shop"], branches: ["main"], tags: [] },
          submission: { trigger: "codehost", params: [{ name: "event", value: "push" }] },
        },
      ],
    },
  ),
);

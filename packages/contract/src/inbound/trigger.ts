import type { Static } from "typebox";
import Type from "typebox";
import { type AsRead, each, named, orNull, ref, stringEnum } from "../schema.ts";
import { eventFilters } from "./event-filter.ts";

/** What may start a workflow, and under which conditions. The words for what has started a run are in status.ts. */

export const triggerKinds = ["manual", "schedule", "webhook", "event", "codehost", "workflow"] as const;
export type WorkflowTriggerKind = (typeof triggerKinds)[number];

export const conditionOperations = ["equals", "matches", "in"] as const;

/** A condition on an inbound event; all conditions of a trigger must hold. */
export interface TriggerCondition extends Static<typeof triggerCondition> {}
export const triggerCondition = named(
  "TriggerCondition",
  Type.Object({
    field: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: "JSONPath (RFC 9535), for example $.type; for the codehost also events, actions, repositories, branches or tags",
    }),
    operation: stringEnum(conditionOperations),
    value: orNull(Type.String({ description: "For equals, and for matches a regular expression (RE2) of the whole text" })),
    values: orNull(Type.Array(Type.String(), { maxItems: 1000, description: "For in" })),
  }),
);

/** In a request. */
export interface TriggerInput extends Static<typeof trigger> {}
/** In a response. */
export interface Trigger extends AsRead<TriggerInput, "enabled" | "conditions"> {}
export const trigger = named(
  "Trigger",
  Type.Object({
    enabled: orNull(Type.Boolean()),
    conditions: orNull(Type.Array(ref(triggerCondition), { maxItems: 100 })),
    filters: orNull(
      eventFilters("For event, codehost and workflow: filters on the attributes of the event, which must all match; [] removes them"),
    ),
    requireSignature: orNull(Type.Boolean({ description: "For webhook: only requests signed with the secret of the workflow start it" })),
    reportStatus: orNull(
      Type.Boolean({ description: "For codehost: report the status of the run at the commit of the event, as a check or a commit status" }),
    ),
  }),
);

export type WorkflowTriggers = Record<WorkflowTriggerKind, Trigger>;
export interface WorkflowTriggersInput extends Static<typeof workflowTrigger> {}
export const workflowTrigger = named("WorkflowTrigger", Type.Object(each(triggerKinds, orNull(ref(trigger)))));

/** The secret that senders use to sign webhooks for one workflow. */
export interface WebhookSecret extends Static<typeof webhookSecret> {}
export const webhookSecret = named(
  "WebhookSecret",
  Type.Object(
    {
      isSet: Type.Boolean(),
      secret: orNull(Type.String({ description: "Returned once, when it is created; whsec_ and base64" })),
      creationDate: orNull(Type.String({ format: "date-time" })),
      previousValidUntil: orNull(Type.String({ format: "date-time", description: "Until then the previous secret is valid too" })),
    },
    { examples: [{ isSet: true, creationDate: "2026-03-01T12:00:00.000Z", previousValidUntil: "2026-03-02T12:00:00.000Z" }] },
  ),
);

import Type from "typebox";
import { type EventFilter, eventFilters } from "./event-filter.ts";
import { named, orNull, ref, stringEnum } from "./schema.ts";

/** What may start a workflow, and on which conditions. The words for what has started a run are in status.ts. */

export const triggerKinds = ["manual", "schedule", "webhook", "event", "codehost", "workflow"] as const;
export type WorkflowTriggerKind = (typeof triggerKinds)[number];

export const conditionOperations = ["equals", "matches", "in"] as const;

/** A condition on what arrived; all conditions of a trigger must hold. */
export interface TriggerCondition {
  /**
   * A JSONPath into the event or payload; for the codehost also `events`, `actions`, `repositories`, `branches` and `tags`, for `workflow`
   * also `workflows` and `statuses`.
   */
  field: string;
  operation: (typeof conditionOperations)[number];
  value?: string | null;
  values?: string[] | null;
}
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

export interface Trigger {
  enabled: boolean;
  conditions: TriggerCondition[];
  /** On the attributes of events, for `event`, `codehost` and `workflow`; absent where there are none. */
  filters?: EventFilter[];
  /** For `webhook`: only a request that is signed with the secret of the workflow starts it. Absent means false. */
  requireSignature?: boolean;
  /** For `codehost`: the course of the run is shown at the commit that the event is about. Absent means false. */
  reportStatus?: boolean;
}
export const trigger = named(
  "Trigger",
  Type.Object({
    enabled: orNull(Type.Boolean()),
    conditions: orNull(Type.Array(ref<TriggerCondition>("TriggerCondition"), { maxItems: 100 })),
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
export type WorkflowTriggersInput = { [Kind in WorkflowTriggerKind]?: Partial<{ [M in keyof Trigger]: Trigger[M] | null }> | null };
export const workflowTrigger = named(
  "WorkflowTrigger",
  Type.Object(Object.fromEntries(triggerKinds.map((kind) => [kind, orNull(ref<Trigger>("Trigger"))]))),
);

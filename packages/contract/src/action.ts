import Type, { type Static } from "typebox";
import { page } from "./page.ts";
import { named, nullable, orNull, ref, stringEnum } from "./schema.ts";

/** Approvals and manual tasks that wait for people, and the votes on them. */

export const actionTypes = ["approval", "manual"] as const;
export type ActionType = (typeof actionTypes)[number];
export const actionStatuses = ["approved", "submitted", "rejected", "cancelled"] as const;
export type ActionStatus = (typeof actionStatuses)[number];

/** A vote that was cast. */
export interface Actioner extends Static<typeof actioner> {}
export const actioner = named(
  "Actioner",
  Type.Object({
    approverId: Type.String(),
    approverName: Type.Optional(Type.String()),
    approverEmail: Type.Optional(Type.String()),
    comments: Type.Optional(Type.String()),
    date: Type.String(),
    approved: Type.Boolean(),
  }),
);

export interface Action extends Static<typeof action> {}
export const action = named(
  "Action",
  Type.Object({
    id: Type.String(),
    workflowRef: Type.String(),
    workflowName: Type.String(),
    workflowRunRef: Type.String(),
    taskRunRef: Type.String(),
    taskName: Type.String(),
    teamName: Type.String(),
    type: stringEnum(actionTypes),
    status: stringEnum(actionStatuses),
    instructions: nullable(Type.String()),
    creationDate: Type.String(),
    deadline: nullable(
      Type.String({
        format: "date-time",
        description: "When the action expires: the earliest of the time limits of the action, the task and the run",
      }),
    ),
    reminder: nullable(Type.Integer({ minimum: 1, description: "Minutes between reminders" })),
    reminderDate: nullable(Type.String({ format: "date-time", description: "When the next reminder is sent; null if there is none" })),
    reminderCount: Type.Integer({ minimum: 0, description: "Reminders sent so far" }),
    requesterMayNotApprove: Type.Boolean({ description: "The person who started the run may not vote" }),
    numberOfApprovers: Type.Integer({ minimum: 1 }),
    approvalsRequired: Type.Integer({ minimum: 1 }),
    numberOfApprovals: Type.Integer({ minimum: 0, description: "Approving votes so far" }),
    approverGroupRef: nullable(Type.String({ description: "Id of the group whose members may vote" })),
    approverGroupName: nullable(Type.String({ description: "Null if the group was deleted" })),
    approverRefs: nullable(
      Type.Array(Type.String(), {
        description:
          "IDs of the members of the group when the action was opened: only they can vote, as long as they are members. Null without a group",
      }),
    ),
    actioners: Type.Array(ref(actioner)),
  }),
);
export const actionPage = page("PageAction", action);

export interface ActionRequest extends Static<typeof actionRequest> {}
export const actionRequest = named(
  "ActionRequest",
  Type.Object({
    id: Type.String({ maxLength: 400 }),
    approved: orNull(Type.Boolean({ description: "Default false: a rejection" })),
    comments: orNull(Type.String({ maxLength: 10_000 })),
  }),
);

export interface ActionSummary extends Static<typeof actionSummary> {}
export const actionSummary = named(
  "ActionSummary",
  Type.Object({
    approvalsRate: Type.Integer({ minimum: 0, maximum: 100, description: "Share of decided actions, in per cent" }),
    manual: Type.Integer({ minimum: 0, description: "Open manual tasks" }),
    approvals: Type.Integer({ minimum: 0, description: "Open approvals" }),
  }),
);

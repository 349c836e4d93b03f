import Type, { type Static } from "typebox";
import { abstractParam } from "../common.ts";
import { page } from "../page.ts";
import { named, nullable, orNull, ref, stringEnum } from "../schema.ts";

/** Approvals and manual tasks that wait for people, and the votes on them. */

/** `publish` asks whether a version of a protected workflow may be published; it is not about a run. */
export const actionTypes = ["approval", "manual", "publish"] as const;
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
    values: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "What the vote filled in, by the name of the field" })),
  }),
);

export interface ActionLink extends Static<typeof actionLink> {}
export const actionLink = named(
  "ActionLink",
  Type.Object({ label: Type.String(), url: Type.String({ description: "https, http or mailto" }) }),
);

export const historyKinds = ["opened", "vote", "comment", "delegation", "reminder", "escalation", "cancelled"] as const;

/** Something that happened to an action. */
export interface ActionHistoryEntry extends Static<typeof actionHistoryEntry> {}
export const actionHistoryEntry = named(
  "ActionHistoryEntry",
  Type.Object({
    kind: stringEnum(historyKinds),
    date: Type.String({ format: "date-time" }),
    principalId: Type.Optional(Type.String({ description: "ID of the user, or `token:ID`" })),
    principalName: Type.Optional(Type.String()),
    comments: Type.Optional(Type.String()),
    approved: Type.Optional(Type.Boolean({ description: "Of a vote" })),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "Of a vote: what it filled in, by the name of the field" }),
    ),
    delegatedTo: Type.Optional(Type.String({ description: "Of a delegation: name of the person or the approver group" })),
    delegateRefs: Type.Optional(Type.Array(Type.String(), { description: "Of a delegation: IDs of the people who got the vote" })),
    escalatedTo: Type.Optional(Type.String({ description: "Of an escalation: name of the approver group, unless it was deleted" })),
    count: Type.Optional(Type.Integer({ description: "Of reminders: how many; the date is that of the last one" })),
  }),
);

export interface ActionAttachment extends Static<typeof actionAttachment> {}
export const actionAttachment = named(
  "ActionAttachment",
  Type.Object({
    label: Type.String(),
    text: Type.Optional(Type.String()),
    taskName: Type.Optional(Type.String({ description: "The task whose log this is" })),
    taskRunRef: Type.Optional(nullable(Type.String({ description: "Its task run; null if there is none" }))),
  }),
);

export interface Action extends Static<typeof action> {}
export const action = named(
  "Action",
  Type.Object({
    id: Type.String(),
    workflowRef: Type.String(),
    workflowName: Type.String(),
    workflowDisplayName: Type.String(),
    workflowRunRef: Type.String({ description: "Empty if it is about no run, but about publishing a version" }),
    taskRunRef: Type.String({ description: "Empty if it is about no run" }),
    taskName: Type.String({ description: "`publish` if it is about no run" }),
    teamName: Type.String(),
    type: stringEnum(actionTypes),
    status: stringEnum(actionStatuses),
    title: nullable(Type.String({ description: "Null: the name of the task is used" })),
    instructions: nullable(Type.String({ description: "Markdown" })),
    fields: Type.Array(ref(abstractParam), { description: "What a vote fills in" }),
    fieldCount: Type.Integer({ minimum: 0, description: "How many fields it has, also where a list leaves them out" }),
    links: Type.Array(ref(actionLink)),
    attachments: Type.Optional(Type.Array(ref(actionAttachment), { description: "Only when one action is read" })),
    history: Type.Optional(Type.Array(ref(actionHistoryEntry), { description: "Only when one action is read; the oldest first" })),
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
    escalateAfter: nullable(
      Type.Integer({ minimum: 1, description: "Minutes without a decision after which another approver group may vote too" }),
    ),
    escalateToRef: nullable(Type.String({ description: "ID of that group" })),
    escalateToName: nullable(Type.String({ description: "Null also if the group was deleted" })),
    escalationDate: nullable(
      Type.String({ format: "date-time", description: "When it was escalated, or will be; null if the action is closed before" }),
    ),
    escalated: Type.Boolean({ description: "That group may vote now" }),
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
    delegatorRefs: Type.Array(Type.String(), { description: "IDs of people who delegated their vote: they can't vote" }),
    delegateRefs: Type.Array(Type.String(), {
      description: "IDs of people who can vote because a vote was delegated to them, or because the action was escalated",
    }),
    proposer: Type.Optional(Type.String({ description: "Who proposed the version, `user:ID` or `token:ID`: they can't vote" })),
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
    values: orNull(
      Type.Record(Type.String({ maxLength: 250 }), Type.Unknown(), {
        maxProperties: 100,
        description: "Values of the fields of the action, by name. Those of the deciding vote are results of the task",
      }),
    ),
  }),
);

export interface ActionCommentRequest extends Static<typeof actionCommentRequest> {}
export const actionCommentRequest = named(
  "ActionCommentRequest",
  Type.Object({ comments: Type.String({ minLength: 1, maxLength: 10_000, pattern: "\\S" }) }),
);

export interface ActionDelegationRequest extends Static<typeof actionDelegationRequest> {}
export const actionDelegationRequest = named(
  "ActionDelegationRequest",
  Type.Object({
    user: orNull(Type.String({ maxLength: 400, description: "ID or email address of a member of the team" })),
    group: orNull(Type.String({ maxLength: 400, description: "ID or name of an approver group of the team" })),
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

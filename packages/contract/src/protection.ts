import Type, { type Static } from "typebox";
import { actionStatuses } from "./action.ts";
import { named, nullable, orNull, ref, stringEnum } from "./schema.ts";
import { workflow } from "./workflow.ts";

/** Workflows whose new versions wait for an approval, and the versions that wait. */

export interface WorkflowProtection extends Static<typeof workflowProtection> {}
export const workflowProtection = named(
  "WorkflowProtection",
  Type.Object({
    protected: Type.Boolean(),
    approverGroupRef: nullable(Type.String({ description: "ID of the group that approves; null: it is not protected" })),
    approverGroupName: nullable(Type.String()),
    approvalsRequired: nullable(Type.Integer({ minimum: 1 })),
  }),
);

export const workflowProtectionRequest = named(
  "WorkflowProtectionRequest",
  Type.Object({
    approverGroup: Type.String({ minLength: 1, maxLength: 400, description: "ID or name of an approver group of the team" }),
    approvalsRequired: orNull(Type.Integer({ minimum: 1, maximum: 100, description: "Members who have to approve; default 1" })),
  }),
);

const members = {
  actionRef: Type.String({ description: "ID of the action, where people approve or reject it" }),
  status: stringEnum(actionStatuses, { description: "submitted: it waits; cancelled: it was closed without a decision" }),
  version: Type.Integer({ description: "The version that it would be, or is" }),
  author: Type.String(),
  reason: Type.String(),
  note: nullable(Type.String({ description: "Why it was closed without a decision" })),
  creationDate: Type.String({ format: "date-time" }),
  endDate: nullable(Type.String({ format: "date-time" })),
};

export interface WorkflowProposal extends Static<typeof workflowProposal> {}
export const workflowProposal = named("WorkflowProposal", Type.Object(members));

export interface WorkflowDraft extends Static<typeof workflowDraft> {}
export const workflowDraft = named(
  "WorkflowDraft",
  Type.Object({
    ...members,
    workflow: ref(workflow),
    changes: Type.String({ description: "What differs from the version that it was made from, as a unified diff without secrets" }),
  }),
);

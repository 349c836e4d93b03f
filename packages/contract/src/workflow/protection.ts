import Type, { type Static } from "typebox";
import { actionStatuses } from "../action/action.ts";
import { named, nullable, orNull, ref, stringEnum } from "../schema.ts";
import { workflow } from "./workflow.ts";

/** Workflows whose new versions must be approved, and the versions that wait for an approval. */

const group = { id: "0198c1de-7d84-7e2c-87bc-6c5d4e3f2a98", name: "leads" };
const protectedBy = { protected: true, approverGroupRef: group.id, approverGroupName: group.name, approvalsRequired: 2 };
const proposed = {
  ...{
    actionRef: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f76",
    status: "submitted",
    version: 3,
    author: "Ada",
    reason: "Says hello in Norwegian",
  },
  ...{ note: null, creationDate: "2026-03-01T12:00:00.000Z", endDate: null, canWithdraw: true },
};
const changes = `--- version 2\n+++ version 3\n@@ -3 +3 @@\n-displayName: Welcome\n+displayName: Velkommen\n`;

export interface WorkflowProtection extends Static<typeof workflowProtection> {}
export const workflowProtection = named(
  "WorkflowProtection",
  Type.Object(
    {
      protected: Type.Boolean(),
      approverGroupRef: nullable(Type.String({ description: "ID of the group that approves; null: it is not protected" })),
      approverGroupName: nullable(Type.String()),
      approvalsRequired: nullable(Type.Integer({ minimum: 1 })),
      ofTeam: Type.Boolean({ description: "By the setting of the team for all of its workflows" }),
      secrets: Type.Array(
        Type.Object({
          name: Type.String(),
          approverGroupName: Type.String(),
          approved: Type.Boolean({ description: "false: runs of the latest version are refused" }),
        }),
        { description: "Protected secrets that the latest version uses. A new version waits for their approver groups, too" },
      ),
    },
    { examples: [{ ...protectedBy, ofTeam: false, secrets: [{ name: "deploy-key", approverGroupName: "security", approved: true }] }] },
  ),
);

/** What owners set for a team, for one of its workflows, or for one of its secrets. */
export const workflowProtectionRequest = named(
  "WorkflowProtectionRequest",
  Type.Object(
    {
      approverGroup: Type.String({ minLength: 1, maxLength: 400, description: "ID or name of an approver group of the team" }),
      approvalsRequired: orNull(Type.Integer({ minimum: 1, maximum: 100, description: "Members who have to approve; default 1" })),
    },
    { examples: [{ approverGroup: group.name, approvalsRequired: 2 }] },
  ),
);

const byGroup = {
  approverGroupRef: Type.String({ description: "ID of the group that approves" }),
  approverGroupName: Type.String(),
  approvalsRequired: Type.Integer({ minimum: 1 }),
};

export interface TeamProtection extends Static<typeof teamProtection> {}
export const teamProtection = named(
  "TeamProtection",
  Type.Object(
    {
      protected: Type.Boolean({ description: "All workflows of the team are protected, new ones too" }),
      approverGroupRef: nullable(Type.String({ description: "ID of the group that approves; null: it is not protected" })),
      approverGroupName: nullable(Type.String()),
      approvalsRequired: nullable(Type.Integer({ minimum: 1 })),
      workflows: Type.Array(Type.Object({ ref: Type.String({ description: "ID of the workflow" }), name: Type.String(), ...byGroup }), {
        description: "Workflows with a protection of their own, whether the team has one or not",
      }),
      secrets: Type.Array(Type.Object({ name: Type.String(), ...byGroup }), { description: "Protected secrets of the team" }),
    },
    {
      examples: [
        {
          ...protectedBy,
          workflows: [
            {
              ...{ ref: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f70", name: "release" },
              ...{ approverGroupRef: group.id, approverGroupName: group.name, approvalsRequired: 1 },
            },
          ],
          secrets: [{ name: "deploy-key", approverGroupRef: group.id, approverGroupName: group.name, approvalsRequired: 1 }],
        },
      ],
    },
  ),
);

export interface SecretProtection extends Static<typeof secretProtection> {}
export const secretProtection = named(
  "SecretProtection",
  Type.Object(
    {
      protected: Type.Boolean(),
      approverGroupRef: nullable(Type.String({ description: "ID of the group that approves; null: it is not protected" })),
      approverGroupName: nullable(Type.String()),
      approvalsRequired: nullable(Type.Integer({ minimum: 1 })),
      workflows: Type.Array(
        Type.Object({
          ref: Type.String({ description: "ID of the workflow" }),
          name: Type.String(),
          version: Type.Integer(),
          approved: Type.Boolean({ description: "false: while the secret is protected, runs of this version are refused" }),
        }),
        { description: "Workflows whose latest version uses it" },
      ),
    },
    {
      examples: [
        { ...protectedBy, workflows: [{ ref: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f70", name: "release", version: 4, approved: true }] },
      ],
    },
  ),
);

export const secretProtectionRequest = named(
  "SecretProtectionRequest",
  Type.Object(
    {
      approverGroup: Type.String({ minLength: 1, maxLength: 400, description: "ID or name of an approver group of the team" }),
      approvalsRequired: orNull(Type.Integer({ minimum: 1, maximum: 100, description: "Members who have to approve; default 1" })),
      approveCurrent: orNull(
        Type.Boolean({
          description:
            "Approves the latest versions of the workflows that use it now; default false: their runs are refused until approved",
        }),
      ),
    },
    { examples: [{ approverGroup: group.name, approvalsRequired: 2, approveCurrent: true }] },
  ),
);

export interface GlobalSecretProtection extends Static<typeof globalSecretProtection> {}
export const globalSecretProtection = named(
  "GlobalSecretProtection",
  Type.Object(
    {
      protected: Type.Boolean(),
      approverGroupName: nullable(Type.String({ description: "Name of the group that approves in each team; null: it is not protected" })),
      approvalsRequired: nullable(Type.Integer({ minimum: 1 })),
      workflows: Type.Array(
        Type.Object({
          team: Type.String({ description: "Name of the team" }),
          ref: Type.String({ description: "ID of the workflow" }),
          name: Type.String(),
          version: Type.Integer(),
          approved: Type.Boolean({ description: "false: while the secret is protected, runs of this version are refused" }),
        }),
        { description: "Workflows whose latest version uses it, of all teams that may" },
      ),
    },
    {
      examples: [
        {
          ...{ protected: true, approverGroupName: group.name, approvalsRequired: 1 },
          workflows: [{ team: "hawks", ref: "0198c1de-7d78-7c09-b58a-2b1c0d9e8f70", name: "release", version: 4, approved: true }],
        },
      ],
    },
  ),
);

export interface ProtectedGlobalSecret extends Static<typeof protectedGlobalSecret> {}
export const protectedGlobalSecret = named(
  "ProtectedGlobalSecret",
  Type.Object(
    {
      name: Type.String(),
      approverGroupName: Type.String({ description: "Name of the group that approves in each team" }),
      approvalsRequired: Type.Integer({ minimum: 1 }),
    },
    { examples: [{ name: "registry", approverGroupName: group.name, approvalsRequired: 1 }] },
  ),
);

export const globalSecretProtectionRequest = named(
  "GlobalSecretProtectionRequest",
  Type.Object(
    {
      approverGroup: Type.String({ minLength: 1, maxLength: 200, description: "Name of an approver group, the same in each team" }),
      approvalsRequired: orNull(Type.Integer({ minimum: 1, maximum: 100, description: "Members who have to approve; default 1" })),
      approveCurrent: orNull(
        Type.Boolean({
          description:
            "Approves the latest versions of the workflows that use it now; default false: their runs are refused until approved",
        }),
      ),
    },
    { examples: [{ approverGroup: group.name, approvalsRequired: 2, approveCurrent: true }] },
  ),
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
  canWithdraw: Type.Boolean({ description: "It waits, and the caller may withdraw it" }),
};

export interface WorkflowProposal extends Static<typeof workflowProposal> {}
export const workflowProposal = named("WorkflowProposal", Type.Object(members, { examples: [proposed] }));

export interface WorkflowDraft extends Static<typeof workflowDraft> {}
export const workflowDraft = named(
  "WorkflowDraft",
  Type.Object(
    {
      ...members,
      workflow: ref(workflow),
      changes: Type.String({ description: "What differs from the version that it was made from, as a unified diff without secrets" }),
    },
    { examples: [{ ...proposed, workflow: { name: "welcome", displayName: "Velkommen" }, changes }] },
  ),
);

import Type from "typebox";
import "./common.ts";
import "./page.ts";
import type { AbstractParam, ChangeLog, WorkflowWorkspace } from "./common.ts";
import { named, orNull, page, ref } from "./schema.ts";
import { maxWorkflowNameLength, type WorkflowMembers, type WorkflowTask, workflowMembers } from "./workflow.ts";

/**
 * A workflow template: a workflow document that belongs to no team. It has neither status nor triggers, and its tasks are global
 * ones, so that every team can make a workflow of it. Members we do not know are kept.
 */

/** Names that a template can't have, since paths use them. */
export const reservedTemplateNames = ["query"];

/** What a client writes. */
export interface WorkflowTemplateInput extends Omit<WorkflowMembers, "status" | "triggers"> {
  tasks?: WorkflowTask[] | null;
  params?: AbstractParam[] | null;
  [member: string]: unknown;
}

/** What it reads. */
export interface WorkflowTemplate extends WorkflowTemplateInput {
  id: string;
  displayName: string;
  version: number;
  creationDate: string;
  changelog: ChangeLog;
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  upgradesAvailable: boolean;
  tasks: WorkflowTask[];
  params: AbstractParam[];
  workspaces: WorkflowWorkspace[];
}

const { status: _status, triggers: _triggers, ...sharedMembers } = workflowMembers;

export const workflowTemplate = Type.Unsafe<WorkflowTemplateInput>(
  named(
    "WorkflowTemplate",
    Type.Object(
      {
        id: orNull(Type.String({ description: "Set by the service" })),
        ...sharedMembers,
        name: Type.String({
          maxLength: maxWorkflowNameLength,
          description: "Letters, digits and hyphens; unique regardless of case",
          examples: ["check-a-website"],
        }),
        creationDate: orNull(Type.String({ description: "ISO 8601 in UTC, of this version. Set by the service" })),
        timeout: orNull(Type.Integer({ minimum: 0, maximum: 525_600, description: "Minutes; 0 means the quota of the team that runs it" })),
        tasks: orNull(
          Type.Array(ref<WorkflowTask>("WorkflowTask"), {
            maxItems: 10_002,
            description: "Its graph, of global tasks; start and end are added when missing",
          }),
        ),
        params: orNull(Type.Array(ref<AbstractParam>("AbstractParam"), { maxItems: 1000 })),
      },
      {
        additionalProperties: true,
        examples: [
          {
            name: "check-a-website",
            displayName: "Check a website",
            description: "Requests a page, and fails if it doesn't respond",
            labels: { area: "monitoring" },
            params: [{ name: "url", type: "url", required: true }],
            tasks: [{ name: "ask", taskRef: "execute-advanced-http-call", params: [{ name: "url", value: "$(params.url)" }] }],
          },
        ],
      },
    ),
  ),
);

export const workflowTemplateResponsePage = page("WorkflowTemplateResponsePage", "WorkflowTemplate");

import Type, { type Static } from "typebox";
import { abstractParam } from "../common.ts";
import { page } from "../page.ts";
import { type AsRead, named, openObject, orNull, ref } from "../schema.ts";
import { maxWorkflowNameLength, type WorkflowMemberRead, workflowMembers, workflowTask } from "./workflow.ts";

/**
 * A workflow template: a workflow document that belongs to no team. It has neither status nor triggers, and uses only global tasks, so that
 * every team can create a workflow from it. Unknown members are kept.
 */

/** Names that a template can't have, since paths use them. */
export const reservedTemplateNames = ["query"];

/** In a request. */
export interface WorkflowTemplateInput extends Static<typeof workflowTemplate> {}

/** In a response. */
export interface WorkflowTemplate extends AsRead<WorkflowTemplateInput, WorkflowMemberRead> {
  /** Without nulls, which only requests have. */
  labels: Record<string, string>;
}

const { status: _status, triggers: _triggers, ...sharedMembers } = workflowMembers;

export const workflowTemplate = named(
  "WorkflowTemplate",
  openObject(
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
        Type.Array(ref(workflowTask), {
          maxItems: 10_002,
          description: "Its graph, of global tasks; start and end are added when missing",
        }),
      ),
      params: orNull(Type.Array(ref(abstractParam), { maxItems: 1000 })),
    },
    {
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
);

export const workflowTemplateResponsePage = page("WorkflowTemplateResponsePage", workflowTemplate);

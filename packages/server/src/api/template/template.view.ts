import type { WorkflowTemplate } from "@millrace/contract/workflow/workflow-template.ts";
import Type from "typebox";
import type { ReadTemplate } from "../../domain/template/read-template.ts";
import type { TemplateRow } from "../../store/workflow/workflow-templates.ts";
import { etagOf } from "../etag.ts";
import { viewChange, viewDocument } from "../workflow/workflow.view.ts";

export const templatePath = Type.Object({
  name: Type.String({ description: "Name or ID of the template", examples: ["check-a-website"] }),
});

/** The template in that version as it is read: secrets empty, and for each task whether there is a newer one. */
export function viewTemplate({ template, latestTasks }: ReadTemplate, { withTasks = true } = {}): WorkflowTemplate {
  return {
    id: template.id,
    name: template.name,
    displayName: template.displayName,
    version: template.version,
    creationDate: template.changedAt.toISOString(),
    changelog: viewChange(template),
    ...(template.icon !== null && { icon: template.icon }),
    ...(template.description !== null && { description: template.description }),
    labels: template.labels,
    annotations: template.annotations,
    ...viewDocument(template.document, latestTasks, withTasks),
  };
}

/** Every write of a template creates a version row, so its id identifies the state. */
export function templateTag(template: Pick<TemplateRow, "versionId">): string {
  return etagOf(template.versionId);
}

/** For the audit record: what all versions share, and which version it is. The versions themselves are stored anyway. */
export function auditedTemplate(template: TemplateRow): Record<string, unknown> {
  const { tasks, params: _params, workspaces: _workspaces, ...rest } = viewTemplate({ template, latestTasks: new Map() });
  const { upgradesAvailable: _computed, ...kept } = rest;
  return { ...kept, taskCount: tasks.length };
}

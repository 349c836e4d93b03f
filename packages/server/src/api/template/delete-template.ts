import { AppError } from "../../base/error/app-error.ts";
import { holdTemplate } from "../../domain/template/save-template.ts";
import { deleteTemplate as remove } from "../../store/workflow/workflow-templates.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { templateTag, viewTemplate } from "./template.view.ts";
import { templatePath } from "./template-path.ts";

export const deleteTemplate = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/workflowtemplate/:name",
  summary: "Delete a workflow template with all its versions",
  description: "Workflows that were created from it don't change.",
  tag: "Workflow templates",
  permission: "workflowtemplate/delete",
  transaction: "write",
  headers: ifMatchHeader,
  params: templatePath,
  response: null,
  async handle({ db, params, headers, audit }) {
    const template = await holdTemplate(db, params.name);
    if (template === undefined) throw new AppError("TASK_INVALID_REFERENCE", [params.name]);
    requireMatch(headers["if-match"], templateTag(template));
    await remove(db, template.id);
    const before = viewTemplate({ template, latestTasks: new Map() });
    audit({ kind: "workflowtemplate", id: template.id, name: template.name, before });
  },
});

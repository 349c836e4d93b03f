import { ref } from "@millrace/contract/schema.ts";
import { workflowTemplate } from "@millrace/contract/workflow-template.ts";
import { withLatestTasks } from "../../domain/template/read-template.ts";
import { createTemplate as create } from "../../domain/template/save-template.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { viewWarnings } from "../workflow/save-workflow.ts";
import { workflowBodyLimit } from "../workflow/workflow-path.ts";
import { auditedTemplate, templateTag, viewTemplate } from "./template.view.ts";

export const createTemplate = defineEndpoint({
  method: "POST",
  path: "/api/v2/workflowtemplate",
  summary: "Create a workflow template",
  description: "docs/templates.md describes the document; only `name` is required. Its tasks are global tasks.",
  tag: "Workflow templates",
  permission: "workflowtemplate/write",
  transaction: "write",
  bodyLimit: workflowBodyLimit,
  body: ref(workflowTemplate),
  presentBody: presentWorkflow,
  response: ref(workflowTemplate),
  async handle({ db, body, principal, keyring, headers, audit }) {
    const context = { author: principal.name, keyring, warnings: [] };
    const template = await create(db, context, body);
    audit({ kind: "workflowtemplate", id: template.id, name: template.name, after: auditedTemplate(template) });
    const missing = missingSecretsHeader(headers, body, template.document);
    const view = viewTemplate(await withLatestTasks(db, template));
    return reply({ headers: { etag: templateTag(template), ...missing }, body: { ...view, ...viewWarnings(context, body) } });
  },
});

import { ref } from "@millrace/contract/schema.ts";
import { workflowTemplate } from "@millrace/contract/workflow-template.ts";
import Type from "typebox";
import { withLatestTasks } from "../../domain/template/read-template.ts";
import { applyTemplate as apply } from "../../domain/template/save-template.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { ifMatchHeader, requireMatch } from "../etag.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { viewWarnings } from "../workflow/save-workflow.ts";
import { replaceParameter, workflowBodyLimit } from "../workflow/workflow-path.ts";
import { auditedTemplate, templateTag, viewTemplate } from "./template.view.ts";

export const applyTemplate = defineEndpoint({
  method: "PUT",
  path: "/api/v2/workflowtemplate",
  summary: "Create a workflow template, or write a new version of it",
  description:
    "Found by the name in the body. Versioned content comes entirely from the body; other members that are left out don't change.",
  tag: "Workflow templates",
  permission: "workflowtemplate/write",
  transaction: "write",
  headers: ifMatchHeader,
  bodyLimit: workflowBodyLimit,
  query: Type.Object({ replace: replaceParameter }),
  body: ref(workflowTemplate),
  presentBody: presentWorkflow,
  response: ref(workflowTemplate),
  async handle({ db, query, body, principal, keyring, headers, audit }) {
    const context = { author: principal.name, keyring, warnings: [] };
    const { template, before } = await apply(db, context, body, {
      replace: query.replace,
      check: (present) => requireMatch(headers["if-match"], present && templateTag(present)),
    });
    audit({
      kind: "workflowtemplate",
      id: template.id,
      name: template.name,
      before: before && auditedTemplate(before),
      after: auditedTemplate(template),
    });
    const missing = missingSecretsHeader(headers, body, template.document);
    const view = viewTemplate(await withLatestTasks(db, template));
    return reply({ headers: { etag: templateTag(template), ...missing }, body: { ...view, ...viewWarnings(context, body) } });
  },
});

import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import { createWorkflow as create } from "../../domain/workflow/create-workflow.ts";
import { readVersion } from "../../domain/workflow/read-workflow.ts";
import { loadSaveContext } from "../../domain/workflow/save-context.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { missingSecretsHeader } from "../missing-secrets.ts";
import { presentWorkflow } from "../present-body.ts";
import { teamPath } from "../team-path.ts";
import { viewWarnings } from "./save-workflow.ts";
import { auditedWorkflow, viewWorkflow, workflowTag } from "./workflow.view.ts";
import { workflowBodyLimit } from "./workflow-path.ts";

export const createWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow",
  summary: "Create a workflow",
  description: "docs/workflows.md describes the document; only `name` is required.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  bodyLimit: workflowBodyLimit,
  params: teamPath,
  body: ref(workflow),
  presentBody: presentWorkflow,
  response: ref(workflow),
  async handle({ db, team, body, principal, keyring, headers, services, audit }) {
    const context = await loadSaveContext(db, team.id, principal.name, keyring, services.runs);
    const workflow = await create(db, context, body);
    const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
    const view = viewWorkflow(read);
    audit({ kind: "workflow", id: view.id, name: view.name, after: auditedWorkflow(view) });
    const missing = missingSecretsHeader(headers, body, read.version.document);
    return reply({ headers: { etag: workflowTag(read), ...missing }, body: { ...view, ...viewWarnings(context, body) } });
  },
});

import { ref } from "@millrace/contract/schema.ts";
import { workflow } from "@millrace/contract/workflow.ts";
import { duplicateWorkflow as duplicate } from "../../domain/workflow/duplicate-workflow.ts";
import { readVersion } from "../../domain/workflow/read-workflow.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { auditedWorkflow, viewWorkflow, workflowTag } from "./workflow.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const duplicateWorkflow = defineEndpoint({
  method: "POST",
  path: "/api/v2/team/:team/workflow/:workflow/duplicate",
  summary: "Copy a workflow",
  description: "Copies the latest version, including secrets and triggers, to the first free name of NAME-duplicate, NAME-duplicate-2, …",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  params: workflowPath,
  response: ref(workflow),
  async handle({ db, team, params, principal, audit }) {
    const workflow = await duplicate(db, { team, author: principal.name }, params.workflow);
    const read = await readVersion(db, team.id, workflow, workflow.latestVersion);
    const view = viewWorkflow(read);
    audit({ kind: "workflow", id: view.id, name: view.name, after: auditedWorkflow(view) });
    return reply({ headers: { etag: workflowTag(read) }, body: view });
  },
});

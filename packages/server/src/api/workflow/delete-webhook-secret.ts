import { requireWorkflow } from "../../domain/workflow/require-workflow.ts";
import { deleteWebhookSecret as remove } from "../../store/inbound/webhook-secrets.ts";
import { defineEndpoint } from "../endpoint.ts";
import { workflowPath } from "./workflow-path.ts";

export const deleteWebhookSecret = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow/webhook-secret",
  summary: "Delete the secret that webhooks for a workflow are signed with",
  description: "From now on, signatures of this secret and of the previous one are rejected. Without a secret nothing happens.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, team, params, audit, auditNothing }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    if (!(await remove(db, team.id, workflow.id))) return auditNothing();
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, after: { webhookSecret: "deleted" } });
  },
});

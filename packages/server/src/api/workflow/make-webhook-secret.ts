import { ref } from "@millrace/contract/schema.ts";
import { type WebhookSecret, webhookSecret } from "@millrace/contract/webhook-secret.ts";
import { makeWebhookSecret as make } from "../../domain/workflow/make-webhook-secret.ts";
import { requireWorkflow } from "../../domain/workflow/require-workflow.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewWebhookSecret } from "./webhook-secret.view.ts";
import { workflowPath } from "./workflow-path.ts";

export const makeWebhookSecret = defineEndpoint({
  method: "PUT",
  path: "/api/v2/team/:team/workflow/:workflow/webhook-secret",
  summary: "Make or replace the secret that webhooks for a workflow are signed with",
  description:
    "The secret is shown in this answer and never again. Who signs with it needs no token, and reaches this workflow only. One that is replaced is " +
    "good for 24 hours more; delete it first if it has become known.",
  tag: "Workflows",
  permission: "workflow/write",
  transaction: "write",
  params: workflowPath,
  response: ref(webhookSecret),
  async handle({ db, keyring, team, params, principal, audit }): Promise<WebhookSecret> {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    const { text, row } = await make(db, keyring, { teamId: team.id, workflowId: workflow.id, author: { principal: principal.id } });
    audit({ kind: "workflow", id: workflow.id, name: workflow.name, after: { webhookSecret: "made" } });
    return { ...viewWebhookSecret(row), secret: text };
  },
});

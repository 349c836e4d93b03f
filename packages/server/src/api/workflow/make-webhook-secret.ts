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
  summary: "Create or replace the webhook secret of a workflow",
  description:
    "The secret is only in this response. Requests signed with it need no token, and reach only this workflow. A replaced secret is " +
    "valid for another 24 hours; if it was leaked, delete it first.",
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

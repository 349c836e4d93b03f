import { type WebhookSecret, webhookSecret } from "@millrace/contract/inbound/trigger.ts";
import { ref } from "@millrace/contract/schema.ts";
import { makeWebhookSecret as make } from "../../domain/inbound/webhook-secrets.ts";
import { readWorkflow, requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { findWebhookSecret, deleteWebhookSecret as remove, type WebhookSecretRow } from "../../store/inbound/webhook-secrets.ts";
import { defineEndpoint } from "../endpoint.ts";
import { workflowPath } from "./workflow.view.ts";

export const getWebhookSecret = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/webhook-secret",
  summary: "Check whether a workflow has a webhook secret, and since when",
  description: "The secret itself is shown only when it is created.",
  tag: "Workflows",
  permission: "workflow/read",
  transaction: "none",
  params: workflowPath,
  response: ref(webhookSecret),
  async handle({ db, team, params }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    return viewWebhookSecret(await findWebhookSecret(db, team.id, workflow.id));
  },
});

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

/** Everything but the secret itself. */
function viewWebhookSecret(row: WebhookSecretRow | undefined): WebhookSecret {
  if (row === undefined) return { isSet: false };
  const until = row.previousUntil && { previousValidUntil: row.previousUntil.toISOString() };
  return { isSet: true, creationDate: row.createdAt.toISOString(), ...until };
}

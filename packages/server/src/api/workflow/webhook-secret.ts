import { ref } from "@millrace/contract/schema.ts";
import { type WebhookSecret, webhookSecret } from "@millrace/contract/webhook-secret.ts";
import { makeWebhookSecret as make } from "../../domain/inbound/webhook-secrets.ts";
import { readWorkflow, requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { findWebhookSecret, deleteWebhookSecret as remove, type WebhookSecretRow } from "../../store/inbound/webhook-secrets.ts";
import { defineEndpoint } from "../endpoint.ts";
import { workflowPath } from "./workflow.view.ts";

export const getWebhookSecret = defineEndpoint({
  method: "GET",
  path: "/api/v2/team/:team/workflow/:workflow/webhook-secret",
  summary: "Say whether webhooks for a workflow can be signed, and since when",
  description: "The secret itself is shown only when it is made.",
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

export const deleteWebhookSecret = defineEndpoint({
  method: "DELETE",
  path: "/api/v2/team/:team/workflow/:workflow/webhook-secret",
  summary: "Delete the secret that webhooks for a workflow are signed with",
  description: "What it has signed is refused from now on, as is what the one before it has signed. Without a secret nothing happens.",
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

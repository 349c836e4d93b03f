import { ref } from "@millrace/contract/schema.ts";
import { webhookSecret } from "@millrace/contract/webhook-secret.ts";
import { readWorkflow } from "../../domain/workflow/read-workflow.ts";
import { findWebhookSecret } from "../../store/inbound/webhook-secrets.ts";
import { defineEndpoint } from "../endpoint.ts";
import { viewWebhookSecret } from "./webhook-secret.view.ts";
import { workflowPath } from "./workflow-path.ts";

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

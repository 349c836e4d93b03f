import { webhookAnswer } from "@millrace/contract/inbound/event.ts";
import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { lineageHeaders } from "../../core/run/lineage.ts";
import { readWebhookProof } from "../../integrations/signature/webhook-signature.ts";
import { defineEndpoint } from "../endpoint.ts";
import { inTransaction } from "../in-transaction.ts";
import { optionalChatHeaders, requireChatSignature } from "../integration/chat-signature.ts";
import { receiveCodehostEvent } from "./receive-codehost-event.ts";
import { chatOrigin, startByWebhook, type WebhookContext } from "./start-by-webhook.ts";

export const receiveWebhook = defineEndpoint({
  method: "POST",
  path: "/api/v2/webhook",
  summary: "Deliver a webhook",
  description:
    "With `x-chat-signature` it is a payload of the chat platform; with `X-Codehost-Event` an event of the codehost's app; otherwise a payload for the workflow of `ref`, whose " +
    "trigger `webhook` must be enabled. The platforms' own header names work too. The response is the run; an event of the codehost can start " +
    "several (TriggeredRuns). Needs the permission `webhook/action` in the team of the workflow, or a signature: of the platform, or with the secret of the " +
    "workflow (`webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks, or `X-Signature-256: sha256=HEX` over the body).",
  tag: "Events",
  permission: "signed-in",
  transaction: "when-needed",
  idempotent: true,
  keepsToWorkflow: true,
  tokenInQuery: true,
  signedBy(headers) {
    if (headers["x-chat-signature"] !== undefined) return "chat";
    if (headers["x-codehost-event"] !== undefined) return headers["x-codehost-signature-256"] === undefined ? undefined : "codehost";
    return readWebhookProof(headers) && "webhook";
  },
  query: Type.Object(
    {
      ref: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: "ID of the workflow, or its name if only one of your teams has it" }),
      ),
    },
    { additionalProperties: true },
  ),
  headers: Type.Object({
    "X-Codehost-Event": Type.Optional(Type.String({ description: "Name of the event at the codehost" })),
    "X-Codehost-Hook-Installation-Target-ID": Type.Optional(Type.String({ description: "ID of the installed app. Not needed" })),
    "X-Codehost-Delivery": Type.Optional(Type.String({ description: "A repeated delivery gets the first response again" })),
    "X-Codehost-Signature-256": Type.Optional(
      Type.String({
        description: "Checked if the instance has a webhook secret. Without an event of the codehost it is read as X-Signature-256",
      }),
    ),
    "webhook-id": Type.Optional(
      Type.String({ description: "Signed with the secret of the workflow; a repeated delivery gets the first response again" }),
    ),
    "webhook-timestamp": Type.Optional(Type.String({ description: "Unix seconds, at most 300 from now" })),
    "webhook-signature": Type.Optional(Type.String({ description: "v1, and the HMAC-SHA256 of ID.TIMESTAMP.BODY in base64" })),
    "X-Signature-256": Type.Optional(Type.String({ description: "sha256= and the HMAC-SHA256 of the body in hex" })),
    "x-chat-signature": optionalChatHeaders.properties["x-chat-signature"],
    "x-chat-request-timestamp": optionalChatHeaders.properties["x-chat-request-timestamp"],
    ...lineageHeaders.properties,
  }),
  body: Type.Record(Type.String(), Type.Unknown(), { description: "Any object", examples: [{ environment: "production" }] }),
  response: webhookAnswer,
  async handle(context) {
    const { headers, query } = context;
    context.auditNothing(); // Each run that is started, and each change of an installation, has a record of its own.
    if (headers["x-chat-signature"] !== undefined) return inTransaction(context, receiveChatPayload);
    const event = headers["x-codehost-event"];
    if (event !== undefined) return inTransaction(context, (inner) => receiveCodehostEvent(inner, event));
    if (query.ref !== undefined) return startByWebhook(context, query.ref);
    throw new AppError("BAD_REQUEST", ["ref is missing: name the workflow with /api/v2/webhook?ref=ID"]);
  },
});

/** A payload of the chat platform: its check of the address, or an event that starts the workflow of `ref`. */
async function receiveChatPayload(context: WebhookContext): Promise<WorkflowRun | { challenge: string }> {
  const { body, query } = context;
  await requireChatSignature(context);
  const { type, challenge } = body;
  if (type === "url_verification" && typeof challenge === "string") return { challenge };
  if (type !== "shortcut" && type !== "event_callback") {
    throw new AppError("BAD_REQUEST", [
      "the type of a chat payload must be url_verification (with a challenge), shortcut or event_callback",
    ]);
  }
  if (query.ref === undefined) throw new AppError("BAD_REQUEST", ["ref is missing: give the ID of the workflow to start"]);
  return startByWebhook(context, query.ref, chatOrigin(body));
}

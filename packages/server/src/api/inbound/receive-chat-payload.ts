import type { WorkflowRun } from "@millrace/contract/run.ts";
import { AppError } from "../../base/error/app-error.ts";
import { requireChatSignature } from "../integration/require-chat-signature.ts";
import { startByWebhook } from "./start-by-webhook.ts";
import type { WebhookContext } from "./webhook-context.ts";

/** A payload of the chat platform: its trial of the address, or something that happened there and is to start the workflow of `ref`. */
export async function receiveChatPayload(context: WebhookContext): Promise<WorkflowRun | { challenge: string }> {
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
  return startByWebhook(context, query.ref);
}

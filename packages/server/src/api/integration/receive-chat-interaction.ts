import Type from "typebox";
import { defineEndpoint } from "../endpoint.ts";
import { formType, signedByChat, unlistedChatHeaders } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

export const receiveChatInteraction = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/interactivity",
  summary: "Receive what somebody did in a dialog of the chat platform",
  description: "This instance opens no dialogs, so there is nothing to do: the signature is checked and the receipt confirmed.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "read",
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: unlistedChatHeaders,
  consumes: [formType],
  bodyOptional: true,
  body: Type.String({ description: "`payload=JSON`" }),
  response: Type.Object({}),
  async handle(context) {
    await requireChatSignature(context);
    return {};
  },
});

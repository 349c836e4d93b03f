import Type from "typebox";
import { runDialogId } from "../../core/chat/run-dialog.ts";
import { decideByButton, isDecision } from "../chat/decide-by-button.ts";
import { readInteraction } from "../chat/read-interaction.ts";
import { submitDialog } from "../chat/submit-dialog.ts";
import { defineEndpoint } from "../endpoint.ts";
import { formType, optionalChatHeaders, signedByChat } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

export const receiveChatInteraction = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/interactivity",
  summary: "Receive an interaction with a dialog or a message of the chat platform",
  description:
    "A dialog of `run` starts the workflow once, as the user with the sender's confirmed address, or shows what is wrong in it. The buttons of a message about " +
    "an action cast that user's vote with the rules of `PUT /action`. The message then shows who decided; only the sender sees why a vote was refused. " +
    "Everything else gets an empty object. The signature is always checked.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "none",
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: optionalChatHeaders,
  consumes: [formType],
  bodyOptional: true,
  body: Type.String({ description: "`payload=JSON`" }),
  response: Type.Object({
    response_action: Type.Optional(Type.String({ examples: ["update", "errors"] })),
    errors: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "What is wrong, by block of the dialog" })),
    view: Type.Optional(Type.Object({}, { additionalProperties: true, description: "The dialog that replaces the previous one" })),
  }),
  async handle(context) {
    const settings = await requireChatSignature(context);
    const interaction = readInteraction(context.rawBody);
    if (isDecision(interaction)) await decideByButton(context, settings, interaction);
    const isRun = interaction.type === "view_submission" && interaction.view.callbackId === runDialogId;
    return isRun ? submitDialog(context, settings, interaction) : {};
  },
});

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
  summary: "Receive what somebody did in a dialog or with a message of the chat platform",
  description:
    "A dialog of `run` starts the workflow, once, in the name of the user here who has the sender's confirmed address, or says what is wrong in it. The buttons of a message about " +
    "an action cast that user's vote by the rules of `PUT /action`; then the message says who decided, and a vote that can't be cast is explained to its sender alone. " +
    "Everything else is confirmed by an empty object. The signature is checked in any case.",
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
    errors: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "What is wrong, by the block of the dialog" })),
    view: Type.Optional(Type.Object({}, { additionalProperties: true, description: "The dialog that takes the place of the one before" })),
  }),
  async handle(context) {
    const settings = await requireChatSignature(context);
    const interaction = readInteraction(context.rawBody);
    if (isDecision(interaction)) await decideByButton(context, settings, interaction);
    const isRun = interaction.type === "view_submission" && interaction.view.callbackId === runDialogId;
    return isRun ? submitDialog(context, settings, interaction) : {};
  },
});

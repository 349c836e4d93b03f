import Type from "typebox";
import { answerChatRequest } from "../../integrations/chat/answer-chat-request.ts";
import { answerCommand, type ChatParts, helpText } from "../chat/answer-command.ts";
import { type ChatCommand, readCommand } from "../chat/read-command.ts";
import { defineEndpoint, reply } from "../endpoint.ts";
import { formType, optionalChatHeaders, signedByChat } from "./chat-headers.ts";
import { requireChatSignature } from "./require-chat-signature.ts";

/** Nobody waits for it but a person. */
const unhurried = { timeoutMs: 5000, retries: 1, patienceMs: 5000 };
/** The sender waits for the answer to this very request, and for no more than three seconds. */
const hurried = { timeoutMs: 2000 };

export const receiveChatCommand = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/commands",
  summary: "Answer a slash command of the chat platform",
  description:
    "`help`, `list [team]`, `run WORKFLOW` (or the workflow alone), `status RUN` or `status WORKFLOW`. The sender acts as the user whose email address the platform " +
    "has confirmed, with the permissions of that user in the teams that the workspace is linked to; a credential in the URL of the command adds nothing. " +
    "`help` is answered at once. Other commands get an empty response first, and the answer at the `response_url` of the form; without a `response_url` it is in the response. " +
    "Only the sender sees it. The signature is always checked.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "none",
  keepsToWorkflow: true,
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: optionalChatHeaders,
  consumes: [formType],
  bodyOptional: true,
  body: Type.String({ description: "The form of the command: text, user_id, team_id, trigger_id, response_url …" }),
  response: Type.Object({ response_type: Type.Literal("ephemeral"), text: Type.String() }),
  async handle(context) {
    const settings = await requireChatSignature(context);
    const { db, keyring, services } = context;
    const command = readCommand(context.rawBody);
    const parts: ChatParts = { db, keyring, settings, fetch: services.platformFetch, publicUrl: services.runs.publicUrl };
    if (command.verb === "help") return ephemeral(helpText);
    if (command.responseUrl === "") return ephemeral((await answerCommand(parts, command, hurried)) ?? "The dialog is open.");
    const isTaken = services.backgroundJobs?.run("chat command", (signal) => answerLater(parts, command, signal));
    return isTaken ? nothing : ephemeral("Millrace is busy right now; try again in a minute.");
  },
});

/** The platform shows no message for an empty answer. */
const nothing = reply({ status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: "" });

function ephemeral(text: string) {
  return { response_type: "ephemeral" as const, text };
}

async function answerLater(parts: ChatParts, command: ChatCommand, signal: AbortSignal): Promise<void> {
  const platform = { apiUrl: parts.settings.get("chat.baseURL"), fetch: parts.fetch };
  const tell = (text: string) => answerChatRequest(platform, command.responseUrl, { text }, signal);
  const text = await answerCommand(parts, command, { ...unhurried, signal }).catch(async (error: unknown) => {
    await tell("Something went wrong; see the log of the service.");
    throw error;
  });
  if (text !== undefined) await tell(text);
}

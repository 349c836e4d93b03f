import Type from "typebox";
import { membersOf } from "../../base/text/json-text.ts";
import { decisionDialogId } from "../../core/chat/decision-dialog.ts";
import { runDialogId } from "../../core/chat/run-dialog.ts";
import { answerChatRequest } from "../../integrations/chat/answer-chat-request.ts";
import { insertAudit } from "../../store/audit/audit.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { deleteChatWorkspace } from "../../store/integration/chat-workspaces.ts";
import { answerCommand, type ChatCommand, type ChatParts, helpText, readCommand } from "../chat/answer-command.ts";
import { decideByButton, isDecision } from "../chat/decide-by-button.ts";
import { decideByDialog } from "../chat/decide-by-dialog.ts";
import { readInteraction } from "../chat/read-interaction.ts";
import { submitDialog } from "../chat/submit-dialog.ts";
import { welcomeChatUser } from "../chat/welcome-chat-user.ts";
import { type Context, defineEndpoint, reply } from "../endpoint.ts";
import { chatHeaders, formType, optionalChatHeaders, requireChatSignature, signedByChat } from "./chat-signature.ts";

/** Only a person waits for it. */
const unhurried = { timeoutMs: 5000, retries: 1, patienceMs: 5000 };
/** The sender waits for the response to this request, for at most three seconds. */
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

/** The platform shows no message for an empty response. */
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

export const receiveChatEvent = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/events",
  summary: "Receive an event of the chat platform",
  description:
    "Answers the platform's challenge, deletes a workspace that removed the app together with its links to teams, and welcomes people who open the app's home for the first time. " +
    "Other events are acknowledged and ignored. The signature is always checked.",
  tag: "Integrations",
  permission: "signed-in",
  transaction: "none",
  tokenInQuery: true,
  signedBy: signedByChat,
  headers: chatHeaders,
  body: Type.Object(
    {
      type: Type.Optional(Type.Unknown()),
      challenge: Type.Optional(Type.Unknown()),
      team_id: Type.Optional(Type.Unknown()),
      event: Type.Optional(Type.Unknown()),
      event_time: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: Type.Unknown() },
  ),
  response: Type.Object({ challenge: Type.Optional(Type.String()) }),
  async handle(context) {
    const { db, keyring, body, services } = context;
    const settings = await requireChatSignature(context);
    const parts = { db, keyring, settings, fetch: services.platformFetch, publicUrl: services.runs.publicUrl };
    const event = membersOf(body.event);
    if (typeof body.team_id === "string") {
      if (isEnd(event)) await forget(context, body.team_id, body.event_time);
      if (event["type"] === "app_home_opened") await welcomeChatUser(parts, services.backgroundJobs, body.team_id, event["user"]);
    }
    return typeof body.challenge === "string" ? { challenge: body.challenge } : {};
  },
});

/** The app's own token is deleted with it; tokens that people gave it are not stored here. */
function isEnd({ type, tokens }: Readonly<Record<string, unknown>>): boolean {
  const { bot } = membersOf(tokens);
  return type === "app_uninstalled" || (type === "tokens_revoked" && (!Array.isArray(bot) || bot.length > 0));
}

type EventContext = Context<unknown, unknown, unknown, Database>;

/** @param eventTime Unix seconds; a late event must not revoke what was granted since */
async function forget({ db, auditRecord }: EventContext, workspace: string, eventTime: unknown): Promise<void> {
  const happenedAt = new Date(typeof eventTime === "number" ? eventTime * 1000 + 999 : Number.NaN);
  const before = Number.isNaN(happenedAt.getTime()) ? undefined : happenedAt;
  await transaction(db, async (tx) => {
    const id = await deleteChatWorkspace(tx, workspace, before);
    if (id !== undefined) await insertAudit(tx, auditRecord({ kind: "integration", id, name: workspace, before: { workspace } }));
  });
}

export const receiveChatInteraction = defineEndpoint({
  method: "POST",
  path: "/api/v2/integration/chat/interactivity",
  summary: "Receive an interaction with a dialog or a message of the chat platform",
  description:
    "A dialog of `run` starts the workflow once, as the user with the sender's confirmed address, or shows what is wrong in it. The buttons of a message about " +
    "an action cast that user's vote with the rules of `PUT /action`; if there is something to fill in, the button opens a dialog for it. The message then shows who decided; only the sender sees why a vote was refused. " +
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
    response_action: Type.Optional(Type.String({ examples: ["update", "errors", "clear"] })),
    errors: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "What is wrong, by block of the dialog" })),
    view: Type.Optional(Type.Object({}, { additionalProperties: true, description: "The dialog that replaces the previous one" })),
  }),
  async handle(context) {
    const settings = await requireChatSignature(context);
    const interaction = readInteraction(context.rawBody);
    if (isDecision(interaction)) await decideByButton(context, settings, interaction);
    if (interaction.type !== "view_submission") return {};
    if (interaction.view.callbackId === decisionDialogId) return decideByDialog(context, settings, interaction);
    return interaction.view.callbackId === runDialogId ? submitDialog(context, settings, interaction) : {};
  },
});

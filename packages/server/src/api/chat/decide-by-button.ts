import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { approveButton, type ChatMessage, commentInput, rejectButton } from "../../core/chat/action-message.ts";
import { buildDecisionDialog } from "../../core/chat/decision-dialog.ts";
import { type OpenChatWorkspace, requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { answerChatRequest } from "../../integrations/chat/answer-chat-request.ts";
import { callChat } from "../../integrations/chat/chat-client.ts";
import { confirmChatUser, failureText, findChatCaller } from "./chat-caller.ts";
import { castChatVote, findReachableAction, updateLater, viewActionMessage } from "./chat-vote.ts";
import type { ChatInteraction } from "./read-interaction.ts";
import type { InteractionContext } from "./submit-dialog.ts";

/** The result of a button: the updated message, and what its sender sees beside it. */
interface Outcome {
  message?: ChatMessage | undefined;
  text?: string | undefined;
}

/** For the call that the response has to wait for. The platform waits for three seconds. */
const hurried = { timeoutMs: 2000 };

export function isDecision({ type, button }: ChatInteraction): boolean {
  return type === "block_actions" && (button.id === approveButton || button.id === rejectButton);
}

/**
 * Casts the vote of the person who pressed a button before the platform gets its response; the message is updated afterwards. An approval
 * with fields opens a dialog for them instead (decide-by-dialog.ts).
 */
export async function decideByButton(
  context: InteractionContext,
  settings: IntegrationSettings,
  interaction: ChatInteraction,
): Promise<void> {
  const { db, keyring, services } = context;
  try {
    const workspace = await requireChatWorkspace({ db, keyring, settings, fetch: services.platformFetch }, interaction.workspaceRef);
    const email = await confirmChatUser(db, workspace, interaction.userRef, hurried);
    const outcome = (await openDialog(context, workspace, email, interaction)) ?? (await castVote(context, workspace, email, interaction));
    notifyLater(context, settings, workspace, interaction, outcome);
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    notifyLater(context, settings, undefined, interaction, { text });
  }
}

/** Undefined if there are no fields. */
async function openDialog(
  { db }: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  { button, triggerId, message }: ChatInteraction,
): Promise<Outcome | undefined> {
  if (button.id !== approveButton) return undefined;
  const { row } = await findReachableAction(db, await findChatCaller(db, workspace, email), button.value);
  const fields = row.form?.fields ?? [];
  if (fields.length === 0 || row.status !== "submitted") return undefined;
  const { id, title, taskName, instructions, type } = row;
  const view = buildDecisionDialog({ id, title: title ?? taskName, instructions, isManual: type === "manual", fields }, message);
  await callChat(workspace, "views.open", { trigger_id: triggerId, view }, hurried);
  return {};
}

async function castVote(
  context: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  interaction: ChatInteraction,
): Promise<Outcome> {
  const { button, messageValues } = interaction;
  const vote = { actionId: button.value, approved: button.id === approveButton, comments: commentOf(messageValues), values: {} };
  try {
    return { message: await castChatVote(context, workspace, email, vote) };
  } catch (error) {
    return refused(context, workspace, email, interaction, error);
  }
}

/** If someone else has decided the action, its buttons are removed. A user who may not see the action learns nothing about it. */
async function refused(
  { db, services }: InteractionContext,
  workspace: OpenChatWorkspace,
  email: string,
  { button }: ChatInteraction,
  error: unknown,
): Promise<Outcome> {
  const text = failureText(error);
  if (text === undefined) throw error;
  if (!(error instanceof AppError) || error.reason !== "ACTION_UNABLE_TO_ACTION") return { text };
  const { row, team } = await findReachableAction(db, await findChatCaller(db, workspace, email), button.value);
  if (row.status === "submitted") return { text };
  const by = row.votes.at(-1);
  const message = await viewActionMessage(db, row, team, services.runs.publicUrl);
  const decider = by && row.status !== "cancelled" ? ` by ${by.name ?? by.principal}` : "";
  return { message, text: failureText(new AppError("ACTION_UNABLE_TO_ACTION", [row.id, `already ${row.status}${decider}`])) as string };
}

function commentOf(values: unknown): string {
  const { value } = membersOf(membersOf(membersOf(values)[commentInput])[commentInput]);
  return typeof value === "string" ? value : "";
}

function notifyLater(
  context: InteractionContext,
  settings: IntegrationSettings,
  workspace: OpenChatWorkspace | undefined,
  { responseUrl, message: place }: ChatInteraction,
  { text, message }: Outcome,
): void {
  const { backgroundJobs, platformFetch } = context.services;
  if (text !== undefined && responseUrl !== "") {
    const platform = { apiUrl: settings.get("chat.baseURL"), fetch: platformFetch };
    context.afterCommit(
      () => void backgroundJobs?.run("chat refusal", (signal) => answerChatRequest(platform, responseUrl, { text }, signal)),
    );
  }
  if (workspace !== undefined) updateLater(context, workspace, place, message);
}

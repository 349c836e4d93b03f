import { AppError } from "../../base/error/app-error.ts";
import { membersOf } from "../../base/text/json-text.ts";
import { clipChatText } from "../../core/chat/chat-text.ts";
import { readDecisionComment, readDecisionPlace } from "../../core/chat/decision-dialog.ts";
import { readDialog } from "../../core/chat/run-dialog.ts";
import { requireChatWorkspace } from "../../domain/integration/chat-workspaces.ts";
import type { IntegrationSettings } from "../../domain/integration/integration-settings.ts";
import { confirmChatUser, failureText, findChatCaller } from "./chat-caller.ts";
import { castChatVote, findReachableAction, updateLater } from "./chat-vote.ts";
import type { ChatInteraction } from "./read-interaction.ts";
import type { DialogAnswer, InteractionContext } from "./submit-dialog.ts";

/** The platform waits for three seconds. */
const hurried = { timeoutMs: 2000 };

/**
 * Approves an action with what was filled in in its dialog. The dialog only says which action is meant: rights and fields are examined now.
 * Sent again, it is a second vote, which is refused. Faults stand beside their fields, all else beside the first.
 */
export async function decideByDialog(
  context: InteractionContext,
  settings: IntegrationSettings,
  { view, workspaceRef, userRef }: ChatInteraction,
): Promise<DialogAnswer> {
  const { db, keyring, services } = context;
  const place = readDecisionPlace(view.metadata);
  const entered = membersOf(view.values);
  try {
    const workspace = await requireChatWorkspace({ db, keyring, settings, fetch: services.platformFetch }, workspaceRef);
    const email = await confirmChatUser(db, workspace, userRef, hurried);
    const { row } = await findReachableAction(db, await findChatCaller(db, workspace, email), place.id);
    const values = Object.fromEntries(readDialog(entered, row.form?.fields ?? []).map(({ name, value }) => [name, value]));
    const vote = { actionId: place.id, approved: true, comments: readDecisionComment(entered), values };
    updateLater(context, workspace, place, await castChatVote(context, workspace, email, vote));
    return { response_action: "clear" };
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    return { response_action: "errors", errors: faultsOf(error, text, Object.keys(entered)) };
  }
}

function faultsOf(error: unknown, text: string, blocks: readonly string[]): Record<string, string> {
  const details = error instanceof AppError ? (error.details ?? []) : [];
  const ofFields = details.flatMap(({ path, message }) => {
    const name = /^0\/values\/(.+)$/.exec(path)?.[1];
    return name !== undefined && blocks.includes(name) ? [[name, clipChatText(message, 2000)]] : [];
  });
  return ofFields.length > 0 ? Object.fromEntries(ofFields) : { [blocks[0] ?? ""]: clipChatText(text, 2000) };
}

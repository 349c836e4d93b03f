import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import type { ClaimedDelivery } from "../../core/outbound/change-event.ts";
import { type ChatPost, type ChatTarget, type ChatTargetDocument, readChatPosts } from "../../core/outbound/chat-target.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isChatWorkspaceOpenTo, listChatAnswers } from "../../store/outbound/chat-deliveries.ts";
import { readActionOfEvent } from "../action/read-action-state.ts";
import { requireKnownChatWorkspace } from "../integration/chat-workspaces.ts";
import { readIntegrationSettings } from "../integration/integration-settings.ts";

interface Rejection {
  report: { outcome: "rejected"; error: string };
}

/**
 * The workspace with its token, if the subscription may still post there (a team only in workspaces that are linked to it), and earlier
 * posts: by an attempt whose result is unknown, and about the same action while it was open.
 */
export async function readChatTarget(
  db: Queryable,
  keyring: Keyring,
  delivery: ClaimedDelivery,
): Promise<{ target: ChatTarget; secrets: string[] } | Rejection> {
  const document = delivery.target as unknown as ChatTargetDocument;
  const settings = await readIntegrationSettings(db, keyring);
  const workspace = await requireKnownChatWorkspace(db, keyring, settings, document.workspace).catch(asRejection);
  if ("report" in workspace) return workspace;
  if (delivery.subscriptionId !== null && !(await isChatWorkspaceOpenTo(db, delivery.subscriptionId, workspace.id))) {
    return rejection(`workspace ${document.workspace} is not linked to the team; link it with POST /api/v2/integration/chat/link`);
  }
  const { apiUrl, token } = workspace;
  const target = {
    ...{ access: { apiUrl, token }, channel: document.channel, emails: document.emails ?? [] },
    ...(await findPosts(db, delivery)),
    action: await readActionOfEvent(db, delivery.event),
  };
  return { target, secrets: [token] };
}

async function findPosts(db: Queryable, { id, subscriptionId, event, attempt }: ClaimedDelivery) {
  // Every later event of an action updates the message that asked for a decision.
  const isLater = event.kind === "action" && event.status !== "submitted";
  if (subscriptionId === null || !(isLater || attempt > 1)) return { posted: [], standing: [] };
  const answers = await listChatAnswers(db, { subscriptionId, deliveryId: id, actionId: isLater ? event.objectId : id });
  const posts = (isOwn: boolean): ChatPost[] =>
    answers.filter((one) => (one.id === id) === isOwn).flatMap(({ answer }) => readChatPosts(answer));
  return { posted: posts(true), standing: posts(false) };
}

function asRejection(error: unknown): Rejection {
  if (error instanceof AppError) return rejection(error.message);
  throw error;
}

function rejection(error: string): Rejection {
  return { report: { outcome: "rejected", error } };
}

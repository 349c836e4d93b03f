import type { PlatformFetch } from "../base/network/platform-fetch.ts";
import { membersOf } from "../base/text/json-text.ts";
import type { ChatMessage } from "../core/chat/action-message.ts";
import { buildEventMessage } from "../core/chat/event-message.ts";
import { type ChatPost, type ChatTarget, writeChatPosts } from "../core/outbound/chat-target.ts";
import type { DeliveryReport, OutgoingDelivery, Sender } from "../engine/channel.ts";
import { type ChatAccess, callChat } from "../integrations/chat/chat-client.ts";
import { ChatError } from "../integrations/chat/chat-error.ts";

/**
 * Posts events to the chat. Posting can't be made idempotent there, so each successful post is recorded, even if the attempt fails later,
 * and the next attempt skips it; only a post whose response was lost may appear twice. A closed action updates the messages that asked for
 * a decision, instead of adding one.
 */
export function createChatSender(fetch: PlatformFetch): Sender<ChatTarget> {
  return { kind: "chat", send: (delivery, target) => send(delivery, { ...target, access: { ...target.access, fetch } }) };
}

type OpenTarget = ChatTarget & { access: ChatAccess };

async function send({ deliveryId, event, signal }: OutgoingDelivery, target: OpenTarget): Promise<DeliveryReport> {
  const message = buildEventMessage(event, target.action);
  if (target.standing.length > 0) return bringUpToDate(target, message, signal);
  const posts = [...target.posted];
  const receivers = target.channel === undefined ? target.emails : [target.channel];
  const refusals: string[] = [];
  for (const [receiver, address] of receivers.entries()) {
    if (posts.some((post) => post.receiver === receiver)) continue;
    const posted = await post(target, address, { deliveryId, message, signal }).catch(asChatError);
    if (!(posted instanceof ChatError)) posts.push({ receiver, ...posted });
    else if (posted.kind === "refused") refusals.push(`${address}: ${posted.message}`);
    else return { ...again(posted), answer: writeChatPosts(posts) };
  }
  const error = refusals.length > 0 ? { error: refusals.join("; ") } : {};
  return { outcome: posts.length > 0 ? "delivered" : "rejected", ...error, answer: writeChatPosts(posts) };
}

async function post(
  { access, channel }: OpenTarget,
  address: string,
  { deliveryId, message, signal }: { deliveryId: string; message: ChatMessage; signal: AbortSignal },
): Promise<Omit<ChatPost, "receiver">> {
  const place = channel ?? (await findUser(access, address, signal));
  const metadata = { event_type: "millrace_delivery", event_payload: { delivery: deliveryId } };
  const args = { channel: place, ...message, metadata, unfurl_links: false, unfurl_media: false };
  const answer = await callChat(access, "chat.postMessage", args, { signal });
  return { channel: String(answer["channel"]), ts: String(answer["ts"]) };
}

async function findUser(access: ChatAccess, email: string, signal: AbortSignal): Promise<string> {
  const answer = await callChat(access, "users.lookupByEmail", { email }, { signal });
  return String(membersOf(answer["user"])["id"]);
}

async function bringUpToDate({ access, standing }: OpenTarget, message: ChatMessage, signal: AbortSignal): Promise<DeliveryReport> {
  for (const { channel, ts } of standing) {
    const failure = await callChat(access, "chat.update", { channel, ts, ...message }, { signal }).catch(asChatError);
    if (!(failure instanceof ChatError)) continue;
    if (failure.kind !== "refused") return again(failure);
    if (failure.code !== "message_not_found") return { outcome: "rejected", error: failure.message };
  }
  return { outcome: "delivered" };
}

function asChatError(error: unknown): ChatError {
  if (error instanceof ChatError) return error;
  throw error;
}

function again({ message, retryAfterMs }: ChatError): DeliveryReport {
  return { outcome: "retry", error: message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

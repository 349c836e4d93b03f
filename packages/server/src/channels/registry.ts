import type { Sender } from "../engine/channel.ts";
import { createChatSender } from "./chat-sender.ts";
import { createWebhookSender } from "./webhook-sender.ts";

export interface ChannelSettings {
  /** CIDRs and host names inside closed networks that may be reached all the same. */
  outboundAllow: readonly string[];
}

/** The senders of all channels; one line for each. */
export function openSenders(settings: ChannelSettings): Sender[] {
  return [createWebhookSender(settings) as Sender, createChatSender() as Sender];
}

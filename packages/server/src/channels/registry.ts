import type { Sender } from "../engine/channel.ts";
import { createChatSender } from "./chat-sender.ts";
import { createWebhookSender } from "./webhook-sender.ts";

export interface ChannelSettings {
  /** Addresses, ranges and names of hosts in closed networks that may be reached all the same. */
  outboundAllow: readonly string[];
}

/** The senders of all channels; one line for each. */
export function openSenders({ outboundAllow }: ChannelSettings): Sender[] {
  return [createWebhookSender({ allow: outboundAllow }) as Sender, createChatSender() as Sender];
}

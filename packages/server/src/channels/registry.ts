import type { PlatformFetch } from "../base/network/platform-fetch.ts";
import type { Sender } from "../engine/channel.ts";
import { createChatSender } from "./chat-sender.ts";
import { type CodehostReportParts, createCodehostSender } from "./codehost-sender.ts";
import { createEmailSender } from "./email-sender.ts";
import { createWebhookSender } from "./webhook-sender.ts";

export interface ChannelSettings {
  /** Addresses, ranges and host names in private networks that may be reached nevertheless. */
  outboundAllow: readonly string[];
  platformFetch: PlatformFetch;
  /** Public URL of this instance, without a trailing slash. */
  publicUrl: string;
  codehost: CodehostReportParts;
}

/** The senders of all channels; one line for each. */
export function openSenders({ outboundAllow, platformFetch, publicUrl, codehost }: ChannelSettings): Sender[] {
  return [
    createWebhookSender({ allow: outboundAllow, publicUrl }) as Sender,
    createEmailSender({ publicUrl }) as Sender,
    createChatSender(platformFetch) as Sender,
    createCodehostSender(codehost) as Sender,
  ];
}

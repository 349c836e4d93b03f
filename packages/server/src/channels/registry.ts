import type { Sender } from "../engine/channel.ts";
import { type CodehostReportParts, createCodehostSender } from "./codehost-sender.ts";
import { createWebhookSender } from "./webhook-sender.ts";

export interface ChannelSettings {
  /** Addresses, ranges and names of hosts in closed networks that may be reached all the same. */
  outboundAllow: readonly string[];
  codehost: CodehostReportParts;
}

/** The senders of all channels; one line for each. */
export function openSenders({ outboundAllow, codehost }: ChannelSettings): Sender[] {
  return [createWebhookSender({ allow: outboundAllow }) as Sender, createCodehostSender(codehost) as Sender];
}

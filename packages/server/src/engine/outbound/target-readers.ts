import type { DeliveryChannel } from "@millrace/contract/outbound/delivery.ts";
import { readChatTarget } from "../../domain/outbound/chat-target.ts";
import { readCodehostTarget } from "../../domain/outbound/codehost-target.ts";
import { readEmailTarget } from "../../domain/outbound/email-target.ts";
import { readWebhookTarget } from "../../domain/outbound/webhook-target.ts";
import type { Channel, Sender, TargetReader } from "../channel.ts";

/** The target reader of each channel, one line each. */
const targetReaders: Partial<Record<DeliveryChannel, TargetReader>> = {
  codehost: readCodehostTarget,
  webhook: readWebhookTarget,
  email: readEmailTarget,
  chat: readChatTarget,
};

/** Combines the two halves of each channel. @throws if a sender has no reader */
export function pairChannels(senders: readonly Sender[]): Channel[] {
  return senders.map((sender) => {
    const readTarget = targetReaders[sender.kind];
    if (!readTarget) throw new Error(`channel ${sender.kind} has no reader of targets`);
    const close = sender.close?.bind(sender);
    return { kind: sender.kind, send: (delivery, target) => sender.send(delivery, target), ...(close && { close }), readTarget };
  });
}

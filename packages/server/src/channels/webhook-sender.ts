import type { WebhookTarget } from "../core/delivery/webhook-target.ts";
import type { Sender } from "../engine/channel.ts";

export function createWebhookSender(_settings: { outboundAllow: readonly string[] }): Sender<WebhookTarget> {
  return { kind: "webhook", send: async () => ({ outcome: "retry", error: "webhooks are not sent yet" }) };
}

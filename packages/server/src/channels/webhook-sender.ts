import { errors, type Reason } from "@millrace/contract/errors.ts";
import { membersOf } from "../base/text/json-text.ts";
import { type WebhookTarget, webhookUrlFault } from "../core/outbound/webhook-target.ts";
import { lineageAttribute, lineageHeader } from "../core/run/lineage.ts";
import type { DeliveryReport, OutgoingDelivery, Sender } from "../engine/channel.ts";
import {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundClient,
  type OutboundSettings,
} from "../integrations/outbound/outbound-http.ts";
import { signWebhook } from "../integrations/signature/webhook-signature.ts";

/**
 * Webhooks: the event as a structured CloudEvent, signed according to Standard Webhooks. Any 2xx counts as delivered, 410 ends the
 * subscription, 307 and 308 are followed (they keep method and body), and everything else is retried.
 */

const maxRedirects = 3;

export function createWebhookSender(settings: OutboundSettings): Sender<WebhookTarget> {
  const client = createOutboundClient(settings);
  return {
    kind: "webhook",
    async send(delivery, { url, secrets }) {
      const fault = webhookUrlFault(url);
      if (fault) return { outcome: "rejected", error: `The address of the webhook ${fault}` };
      return follow(client, new URL(url), request(delivery, secrets));
    },
    close: () => client.close(),
  };
}

type Request = Parameters<OutboundClient["post"]>[1];

function request({ deliveryId, event, signal, traceparent }: OutgoingDelivery, secrets: readonly string[]): Request {
  const body = JSON.stringify(event);
  const signed = signWebhook(deliveryId, Math.floor(Date.now() / 1000), body, secrets);
  const { [lineageAttribute]: lineage } = event;
  const headers = { "content-type": "application/cloudevents+json; charset=utf-8", "user-agent": "millrace", ...signed };
  return {
    body,
    signal,
    headers: { ...headers, ...(lineage !== undefined && { [lineageHeader]: lineage }), ...(traceparent && { traceparent }) },
  };
}

/** Each redirect is checked again, like the first address. */
async function follow(client: OutboundClient, start: URL, sent: Request): Promise<DeliveryReport> {
  let url = start;
  for (let hops = 0; ; hops++) {
    const answer = await client.post(url, sent);
    if (answer.status !== 307 && answer.status !== 308) return reportOf(answer, url);
    const next = nextUrl(answer, url);
    if (typeof next === "string") return failure(answer, next);
    if (hops === maxRedirects) return failure(answer, `${start.host} redirects more than ${maxRedirects} times`);
    url = next;
  }
}

/** @returns the target, or what is wrong with it */
function nextUrl({ status, headers }: OutboundAnswer, from: URL): URL | string {
  const location = headers.location;
  if (typeof location !== "string" || !URL.canParse(location, from.href)) return `${from.host} answered ${status} without a valid Location`;
  const url = new URL(location, from);
  const fault = webhookUrlFault(url.href);
  if (fault) return `${from.host} redirects to an address that ${fault}`;
  return from.protocol === "https:" && url.protocol === "http:" ? `${from.host} redirects from https to http` : url;
}

function reportOf(answer: OutboundAnswer, { host }: URL): DeliveryReport {
  const { status, text } = answer;
  if (status >= 200 && status < 300) return { outcome: "delivered", status, answer: text };
  if (status === 410) return { outcome: "rejected", status, answer: text, error: `${host} answered 410 (gone)`, isGone: true };
  const loop = loopMessage(answer);
  if (loop !== undefined) return { outcome: "rejected", status, answer: text, error: `${host} did not start a run: ${loop}` };
  if (status >= 300 && status < 400) {
    return failure(
      answer,
      `${host} answered ${status}: only 307 and 308 redirects are followed, since others lose the body; use the final URL in the subscription`,
    );
  }
  return failure(answer, `${host} answered ${status}`);
}

/** The response of an instance of this service to an event that would start a loop: repeating the event doesn't change it. */
function loopMessage({ status, text }: OutboundAnswer): string | undefined {
  if (status !== errors.WORKFLOWRUN_LOOP.status) return undefined;
  try {
    const { reason, message } = membersOf(JSON.parse(text));
    return reason === ("WORKFLOWRUN_LOOP" satisfies Reason) ? String(message) : undefined;
  } catch {
    return undefined;
  }
}

function failure({ status, text, headers }: OutboundAnswer, error: string): DeliveryReport {
  const retryAfterMs = readRetryAfter(headers["retry-after"]);
  return { outcome: "retry", status, answer: text, error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Seconds, or a date. */
function readRetryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

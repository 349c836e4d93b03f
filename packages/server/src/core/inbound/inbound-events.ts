import type { RunParam } from "@millrace/contract/common.ts";
import type { ChangeEvent } from "../outbound/change-event.ts";
import { outboundEvent } from "../outbound/outbound-event.ts";
import { eventParams } from "../parameter/event-params.ts";
import type { ReadEvent } from "./cloud-event.ts";
import { codehostAttributes } from "./codehost-payload.ts";
import { codehostWords } from "./codehost-words.ts";
import type { InboundEvent } from "./trigger-conditions.ts";

/** What arrived, with what its run gets of it. Real arrivals and tests of triggers are made here alike. */
export interface InboundEventWithParams extends InboundEvent {
  params: RunParam[];
}

export function inboundCloudEvent(read: ReadEvent): InboundEventWithParams {
  return {
    document: read.data === undefined ? read.event : { ...read.event, data: read.data },
    attributes: read.event,
    params: eventParams(read),
  };
}

interface WebhookParts {
  /** Without those that may hold a credential. */
  headers: Record<string, string>;
  query: unknown;
}

export function inboundWebhook(payload: unknown, { headers, query }: WebhookParts): InboundEventWithParams {
  return {
    document: payload,
    params: [
      { name: "data", value: payload },
      { name: "headers", value: headers },
      { name: "query", value: query },
    ],
  };
}

/** @param delivery its number, from the headers */
export function inboundCodehostEvent(
  event: string,
  delivery: string | undefined,
  payload: Record<string, unknown>,
): InboundEventWithParams {
  return {
    document: payload,
    words: codehostWords(event, payload),
    attributes: codehostAttributes(event, delivery, payload),
    params: [
      { name: "data", value: payload },
      { name: "event", value: event },
    ],
  };
}

/** The end of a run. Conditions look at the members of the run; the words are texts that people have at hand. */
export function inboundOutcome(change: ChangeEvent, publicUrl: string): InboundEventWithParams {
  const { workflowId, workflowName, status, data } = change;
  const event = outboundEvent(change, publicUrl);
  const { data: _, ...attributes } = event;
  return {
    document: data,
    words: { workflows: [workflowName, workflowId].filter((text) => text !== null), statuses: [status] },
    attributes,
    params: [
      { name: "event", value: event },
      { name: "data", value: event.data },
    ],
  };
}

import type { RunParam } from "@millrace/contract/common.ts";
import type { ReadEvent } from "./cloud-event.ts";
import { codehostAttributes } from "./codehost-payload.ts";
import { codehostWords } from "./codehost-words.ts";
import type { ChangeEvent } from "./delivery/change-event.ts";
import { outboundEvent } from "./delivery/outbound-event.ts";
import { eventParams } from "./event-params.ts";
import type { Arrived } from "./trigger-conditions.ts";

/** What arrived, with what its run gets of it. Real arrivals and tests of triggers are made here alike. */
export interface ArrivedWithParams extends Arrived {
  params: RunParam[];
}

export function arrivedEvent(read: ReadEvent): ArrivedWithParams {
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

export function arrivedWebhook(payload: unknown, { headers, query }: WebhookParts): ArrivedWithParams {
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
export function arrivedFromCodehost(event: string, delivery: string | undefined, payload: Record<string, unknown>): ArrivedWithParams {
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
export function arrivedOutcome(change: ChangeEvent, publicUrl: string): ArrivedWithParams {
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

import type { RunParam } from "@millrace/contract/common.ts";
import type { ChangeEvent } from "../outbound/change-event.ts";
import { outboundEvent } from "../outbound/outbound-event.ts";
import type { ReadEvent } from "./cloud-event.ts";
import { codehostAttributes } from "./codehost-payload.ts";
import { codehostWords } from "./codehost-words.ts";
import type { InboundEvent } from "./trigger-conditions.ts";

/** An inbound event, with the parameters for its run. Real events and tests of triggers use the same functions. */
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
  /** Without headers that may contain a credential. */
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

/** The end of a run. Conditions check the members of the run; the words are texts that people have at hand. */
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

/**
 * The parameters that a run gets from an event: `event` (all of it), `data`, and each member of the data by its own name, so that these
 * match the declared parameters of the workflow. `event` and `data` always have this meaning, even if the data has members with these
 * names. Data with more members than a submission may have parameters is treated as a table: then there is only `data`.
 */
function eventParams({ event, data }: ReadEvent): RunParam[] {
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  const members = isObject ? Object.entries(data) : [];
  const own = members.length > maxMembers ? [] : members.filter(([name]) => isParamName(name));
  return [
    { name: "event", value: event },
    ...(data === undefined ? [] : [{ name: "data", value: data }]),
    ...own.map(([name, value]) => ({ name, value })),
  ];
}

const maxMembers = 1000;
const maxNameLength = 250;

function isParamName(name: string): boolean {
  return name !== "" && name.length <= maxNameLength && name !== "event" && name !== "data";
}

const secretHeaders = /authorization|cookie|token|secret|signature|password|api-?key|credential|session/;

/** Headers that a workflow may see: none that contain a credential, either of this service or of the sender. */
export function safeHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const safe = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && !secretHeaders.test(entry[0]),
  );
  return Object.fromEntries(safe);
}

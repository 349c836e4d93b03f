import type { RunParam } from "@millrace/contract/common.ts";
import type { ReadEvent } from "../inbound/cloud-event.ts";

/**
 * What a run gets of an event: `event` (all of it), `data`, and the members of the data by their own names, which so meet the declared
 * parameters of the workflow. `event` and `data` are always these two, whatever the data calls its members. Data with more members than a
 * submission may have parameters is a table rather than a list of parameters: it is `data` only.
 */
export function eventParams({ event, data }: ReadEvent): RunParam[] {
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

/** Headers that a workflow may see: none that holds a credential, of this service or of the sender. */
export function safeHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const safe = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && !secretHeaders.test(entry[0]),
  );
  return Object.fromEntries(safe);
}

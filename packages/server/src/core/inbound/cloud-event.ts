import type { ErrorDetail } from "../../base/error/app-error.ts";
import { checkJson } from "../document/json-guard.ts";

/**
 * CloudEvents 1.0, and 0.3 as far as it is the same: reads the attributes of an event and its data. Structured and batched events are JSON
 * objects (`readStructuredEvent`), binary ones have their attributes in `ce-` headers (`readBinaryEvent`). Missing attributes are not
 * invented: an event without an ID could not be recognised as a duplicate, so it is refused.
 */

/** The event as it is passed to runs: everything that was sent, attributes and data. */
export type CloudEvent = { id: string; source: string; type: string; specversion: string; subject?: string } & Record<string, unknown>;

export interface ReadEvent {
  event: CloudEvent;
  /** Decoded: base64 becomes text or JSON if its content type says so. Undefined without data. */
  data: unknown;
}

/** An event, or why it is not valid. */
export type EventOrFaults = ReadEvent | { faults: ErrorDetail[] };

export function readStructuredEvent(value: unknown): EventOrFaults {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { faults: [{ path: "", message: "is not a CloudEvent: it must be an object with specversion, id, source and type" }] };
  }
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const faults = [...attributeFaults(given), ...dataFaults(given)];
  if (faults.length > 0) return { faults };
  const data = decodedData(given);
  const fault = data === undefined ? undefined : checkJson(data);
  return fault ? { faults: [{ path: `/data${fault.path}`, message: fault.message }] } : { event: given as CloudEvent, data };
}

/**
 * @param headers names in lower case
 * @param contentType of the body, with its parameters
 * @param data the body: a JSON value, or text of another type; undefined without one
 */
export function readBinaryEvent(headers: Readonly<Record<string, unknown>>, contentType: string, data: unknown): EventOrFaults {
  const attributes = Object.entries(headers)
    .filter((entry): entry is [string, string] => entry[0].startsWith("ce-") && typeof entry[1] === "string")
    .map(([name, value]) => [name.slice(3), decodePercent(readUtf8(value))]);
  const given: Record<string, unknown> = Object.fromEntries(attributes);
  const unkept = checkJson(given);
  const faults = [...attributeFaults(given), ...(unkept ? [unkept] : [])].map(inHeader);
  if (faults.length > 0) return { faults };
  const event = { ...given, ...(data !== undefined && { datacontenttype: contentType, data }) };
  return { event: event as CloudEvent, data };
}

function inHeader({ path, message }: ErrorDetail): ErrorDetail {
  return { path: path.replace("/", "ce-"), message };
}

/** The workflow in the subject, `/workflow` or `/workflow/topic`. */
export function workflowOfSubject(subject: string | undefined): string | undefined {
  return subject?.split("/").find((segment) => segment !== "");
}

const versions = ["1.0", "0.3"];
const required = ["id", "source", "type"];
const optionalTexts = ["subject", "datacontenttype", "dataschema", "schemaurl", "datacontentencoding", "time"];
const maxAttributeLength = 2000;

function attributeFaults(given: Record<string, unknown>): ErrorDetail[] {
  const { specversion, time } = given;
  const faults: ErrorDetail[] = [];
  if (typeof specversion !== "string" || !versions.includes(specversion)) {
    faults.push({ path: "/specversion", message: `${specversion === undefined ? "is missing" : "is unknown"}; it must be 1.0 (or 0.3)` });
  }
  for (const name of [...required, ...optionalTexts]) {
    const message = textFault(given[name], required.includes(name));
    if (message !== undefined) faults.push({ path: `/${name}`, message });
  }
  if (typeof time === "string" && !isTime(time))
    faults.push({ path: "/time", message: "is not a time (RFC 3339), such as 2026-03-01T12:00:00Z" });
  return faults;
}

function textFault(value: unknown, isRequired: boolean): string | undefined {
  if (value === undefined) return isRequired ? "is missing; every CloudEvent has id, source, type and specversion" : undefined;
  if (typeof value !== "string" || value === "") return "must be a non-empty text";
  return value.length > maxAttributeLength ? `is longer than ${maxAttributeLength} characters` : undefined;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text.toUpperCase()));
}

function dataFaults(given: Record<string, unknown>): ErrorDetail[] {
  if (given["data_base64"] !== undefined && given["data"] !== undefined) {
    return [{ path: "/data_base64", message: "was given together with data; give only one of them" }];
  }
  const encoded = base64Of(given);
  const isBase64 = typeof encoded === "string" && /^[\w+/-]*={0,2}$/.test(encoded);
  if (encoded === undefined || isBase64) return [];
  return [{ path: given["data_base64"] === undefined ? "/data" : "/data_base64", message: "is not base64" }];
}

/** Base64 is in a separate member in 1.0, and in data with a mark in 0.3. */
function base64Of(given: Record<string, unknown>): unknown {
  if (given["data_base64"] !== undefined) return given["data_base64"];
  return given["datacontentencoding"] === "base64" ? given["data"] : undefined;
}

function decodedData(given: Record<string, unknown>): unknown {
  const encoded = base64Of(given);
  if (encoded === undefined) return given["data"];
  const type = String(given["datacontenttype"] ?? "application/json");
  const isJson = /[/+]json\b/i.test(type);
  if (!isJson && !/^text\//i.test(type)) return encoded;
  const text = Buffer.from(encoded as string, "base64").toString("utf8");
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Some senders write plain UTF-8 into a header, which is received as one character per byte. */
function readUtf8(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

/** Values that a header can't contain are percent-encoded; an invalid encoding is taken literally. */
function decodePercent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

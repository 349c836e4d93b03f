import { maxEventsOfBatch } from "@millrace/contract/event.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { type EventOrFaults, type ReadEvent, readBinaryEvent, readStructuredEvent } from "../../core/inbound/cloud-event.ts";

export const structuredType = "application/cloudevents+json";
export const batchType = "application/cloudevents-batch+json";

interface Request {
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
}

/**
 * The CloudEvents of a request (HTTP protocol binding 1.0): the content type says structured or batched, `ce-` headers say binary, and
 * what comes as plain JSON with a specversion is structured all the same.
 */
export function readEvents({ mediaType, headers, body }: Request): { events: ReadEvent[]; isBatch: boolean } {
  if (mediaType === batchType) return { events: readBatch(body), isBatch: true };
  if (mediaType === structuredType) return one(readStructuredEvent(body));
  if (Object.keys(headers).some((name) => name.startsWith("ce-")))
    return one(readBinaryEvent(headers, headers["content-type"] ?? mediaType, body));
  if (mediaType === "application/json" && isMarked(body)) return one(readStructuredEvent(body));
  const how = `send ${structuredType} with specversion, id, source and type in the body, or the headers ce-specversion, ce-id, ce-source and ce-type`;
  throw new AppError("BAD_REQUEST", [`the request contains no CloudEvent; ${how}`]);
}

/** One attribute is enough to say what is meant; the others are then asked for by name. */
function isMarked(body: unknown): boolean {
  return typeof body === "object" && body !== null && ["specversion", "source"].some((name) => Object.hasOwn(body, name));
}

function one(read: EventOrFaults): { events: ReadEvent[]; isBatch: boolean } {
  if ("faults" in read) throw refusal(read.faults);
  return { events: [read], isBatch: false };
}

function readBatch(body: unknown): ReadEvent[] {
  if (!Array.isArray(body)) throw refusal([{ path: "", message: "is not a list; a batch must be a list of CloudEvents" }]);
  if (body.length > maxEventsOfBatch) {
    throw refusal([{ path: "", message: `has ${body.length} events; a batch can have at most ${maxEventsOfBatch}` }]);
  }
  const read = body.map(readStructuredEvent);
  const faults = read.flatMap((event, index) =>
    "faults" in event ? event.faults.map(({ path, message }) => ({ path: `/${index}${path}`, message })) : [],
  );
  if (faults.length > 0) throw refusal(faults);
  return read as ReadEvent[];
}

function refusal(details: ErrorDetail[]): AppError {
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see errors)` : "";
  return new AppError("VALIDATION_FAILED", [`CloudEvent${first?.path && ` ${first.path}`} ${first?.message}${more}`], { details });
}

import { eventAnswer, maxEventsOfBatch } from "@millrace/contract/inbound/event.ts";
import Type from "typebox";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { type EventOrFaults, type ReadEvent, readBinaryEvent, readStructuredEvent } from "../../core/inbound/cloud-event.ts";
import { lineageHeaders } from "../../core/run/lineage.ts";
import { defineEndpoint } from "../endpoint.ts";
import { inTransaction } from "../in-transaction.ts";
import { answerAlone, answerEvents } from "./answer-event.ts";
import { mergeTriggered } from "./triggered.view.ts";

const structuredType = "application/cloudevents+json";
const batchType = "application/cloudevents-batch+json";

interface Request {
  mediaType: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: unknown;
}

/**
 * The CloudEvents of a request (HTTP protocol binding 1.0): the content type says structured or batched, `ce-` headers say binary, and
 * plain JSON with a specversion is structured as well.
 */
function readEvents({ mediaType, headers, body }: Request): { events: ReadEvent[]; isBatch: boolean } {
  if (mediaType === batchType) return { events: readBatch(body), isBatch: true };
  if (mediaType === structuredType) return one(readStructuredEvent(body));
  if (Object.keys(headers).some((name) => name.startsWith("ce-")))
    return one(readBinaryEvent(headers, headers["content-type"] ?? mediaType, body));
  if (mediaType === "application/json" && isMarked(body)) return one(readStructuredEvent(body));
  const how = `send ${structuredType} with specversion, id, source and type in the body, or the headers ce-specversion, ce-id, ce-source and ce-type`;
  throw new AppError("BAD_REQUEST", [`the request contains no CloudEvent; ${how}`]);
}

/** A single attribute shows the intent; missing ones are then reported by name. */
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

export const receiveEvent = defineEndpoint({
  method: "POST",
  path: "/api/v2/event",
  summary: "Deliver a CloudEvent",
  description:
    "Structured, binary or batched, version 1.0 or 0.3. `ref` names the workflow; without it, the first segment of the event's subject does. Its trigger `event` " +
    "must be enabled and its conditions must match. An event that names no workflow starts every workflow of your teams whose trigger matches; then, and for a batch, " +
    "the response is TriggeredRuns. The same event (source and id) within 24 hours gets the first response again. Needs the permission `webhook/action` in the team.",
  tag: "Events",
  permission: "signed-in",
  transaction: "when-needed",
  idempotent: true,
  keepsToWorkflow: true,
  tokenInQuery: true,
  query: Type.Object({
    ref: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "ID of the workflow, or its name if only one of your teams has it" }),
    ),
  }),
  headers: lineageHeaders,
  body: Type.Unknown({ description: "A CloudEvent, a list of CloudEvents, or the data of one whose attributes are in ce- headers" }),
  bodyOptional: true,
  documentedBody: { isRequired: true },
  consumes: ["application/json", structuredType, batchType, "text/plain"],
  response: eventAnswer,
  async handle(context) {
    const { events, isBatch } = readEvents(context);
    context.auditNothing(); // Each run that is started has a record of its own.
    const [only] = events;
    const alone = isBatch || only === undefined ? undefined : await answerAlone(context, only);
    if (alone) return alone;
    const blame = (error: AppError, index: number) => (isBatch ? error.ofElement(index) : error);
    const answers = await inTransaction(context, (inner) => answerEvents(inner, events, blame));
    if (!isBatch) return answers[0]!;
    return mergeTriggered(answers.map((answer) => ("runs" in answer ? answer : { runs: [answer], refused: [] })));
  },
});

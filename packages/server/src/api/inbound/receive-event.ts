import { eventAnswer } from "@millrace/contract/event.ts";
import Type from "typebox";
import type { AppError } from "../../base/error/app-error.ts";
import { defineEndpoint } from "../endpoint.ts";
import { inTransaction } from "../in-transaction.ts";
import { lineageHeaders } from "../lineage-header.ts";
import { answerAlone, answerEvents } from "./answer-event.ts";
import { batchType, readEvents, structuredType } from "./read-events.ts";
import { mergeTriggered } from "./triggered.view.ts";

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
  transaction: "write",
  opensTransaction: true,
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
    const alone = isBatch || only === undefined || context.isInTransaction ? undefined : await answerAlone(context, only);
    if (alone) return alone;
    const blame = (error: AppError, index: number) => (isBatch ? error.ofElement(index) : error);
    const answers = await inTransaction(context, (inner) => answerEvents(inner, events, blame));
    if (!isBatch) return answers[0]!;
    return mergeTriggered(answers.map((answer) => ("runs" in answer ? answer : { runs: [answer], refused: [] })));
  },
});

import type { Readable } from "node:stream";
import Type from "typebox";
import { type Principal, reply } from "../endpoint.ts";

/** What both streams of changes have in common. */
export const changesAnswer = {
  method: "GET",
  transaction: "none",
  produces: ["text/event-stream"],
  headers: Type.Object({ "last-event-id": Type.Optional(Type.String({ description: "ID of the last event that you received" })) }),
} as const;

export function changesReply(body: Readable, goesOnFor: (caller: Principal) => boolean) {
  return reply({ headers: { "content-type": "text/event-stream; charset=utf-8" }, body, goesOnFor });
}

import Type from "typebox";
import { AppError } from "../base/error/app-error.ts";

/** The headers of an endpoint that calls `requireMatch`. */
export const ifMatchHeader = Type.Object({
  "If-Match": Type.Optional(Type.String({ description: "ETag of the state that you are changing; 412 if it has changed since" })),
});

/** A strong tag for one state of an object, from what changes with it: `etagOf(workflow.id, version)`. */
export function etagOf(...parts: readonly (string | number)[]): string {
  return `"${parts.join("-").replace(/[^\x21\x23-\x7e]/g, "_")}"`;
}

/**
 * If-Match (RFC 9110, 13.1.1): a caller who changes what they have read gets an error if someone else changed it first. Call it inside the
 * transaction, after the lock.
 *
 * @param current tag of the state that is about to be changed; undefined if the object does not exist
 */
export function requireMatch(header: string | undefined, current: string | undefined): void {
  if (header === undefined) return;
  const tags = header.split(",").map((tag) => tag.trim());
  if (current !== undefined && (tags.includes("*") || tags.includes(current))) return;
  const state = current === undefined ? "it does not exist" : `its tag is now ${current}`;
  throw new AppError("PRECONDITION_FAILED", [`If-Match names ${header}, but ${state}; read it again and repeat the change`]);
}

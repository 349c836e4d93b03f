import { createHash } from "node:crypto";

/** 24 hexadecimal digits that follow from the parts alone: an id that is safe in documents, selectors and addresses. */
export function shortHash(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}

import { createHash } from "node:crypto";

/** 24 hexadecimal digits that depend only on the parts: an id that is safe in documents, selectors and addresses. */
export function shortHash(parts: readonly (string | number)[]): string {
  return textHash(JSON.stringify(parts)).slice(0, 24);
}

/** SHA-256 in hexadecimal digits. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

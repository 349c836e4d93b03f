import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest stretch of encoding, in ms, before other work runs. */
const stretchMs = 10;
/** Characters that are certainly encoded within a stretch. */
const smallLength = 256 * 1024;

/**
 * Rows as a JSON array for one parameter of a statement. A few rows may contain tens of megabytes of parameters: they are encoded row by
 * row, so that other requests and leases don't wait for all of them. The usual few kilobytes are encoded without a pause.
 */
export async function encodeRows(rows: readonly object[]): Promise<string> {
  const texts: string[] = [];
  let startedAt = performance.now();
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    texts.push(text);
    length += text.length;
    if (length > smallLength && performance.now() - startedAt > stretchMs) {
      await nextTurn();
      startedAt = performance.now();
    }
  }
  return `[${texts.join(",")}]`;
}

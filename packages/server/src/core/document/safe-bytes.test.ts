import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeControls } from "../log/log-lines.ts";
import { hasShortLines, isSafe } from "./safe-bytes.ts";

/** The former implementation, which checked line by line. */
const isSafeByLine = (bytes: Buffer): boolean =>
  isUtf8(bytes) &&
  bytes
    .toString()
    .split("\n")
    .every((line) => escapeControls(line) === line);

test.each([0, 1, 2, 3])("finds safe bytes like a check of each line, at any alignment: %i bytes after a word", (offset) => {
  const part = fc.oneof(
    { weight: 20, arbitrary: fc.string({ maxLength: 6 }) },
    { weight: 6, arbitrary: fc.constantFrom("\n", "\t", "é", "日本", "🙂", "\u00a0", "\u001b[0m", "\u001b[38;5;12m", "\u001b[1;31m") },
    fc.constantFrom(
      "\u0000",
      "\u007f",
      "\u0080",
      "\u009f",
      "\r",
      "\u001b",
      "\u001b[2J",
      "\u001b[",
      `\u001b[${"1;".repeat(20)}m`,
      `\u001b[${"1".repeat(41)}m`,
    ),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.option(fc.uint8Array({ maxLength: 2 })), (parts, broken) => {
      const list = Buffer.concat([Buffer.from(parts.join("")), broken ?? Buffer.alloc(0)]);
      const memory = Buffer.concat([Buffer.alloc(offset), list]);
      expect(isSafe(memory.subarray(offset))).toBe(isSafeByLine(list));
    }),
    { numRuns: 3_000 },
  );
});

test("looks at each byte in each place of a word, beside each neighbour that may borrow or carry", () => {
  for (let byte = 0; byte < 256; byte++) {
    for (const other of [0x09, 0x0a, 0x20, 0x7e, 0x41]) {
      for (let place = 0; place < 8; place++) {
        const bytes = Buffer.alloc(8, other);
        bytes[place] = byte;
        expect([byte, other, place, isSafe(bytes)]).toEqual([byte, other, place, isSafeByLine(bytes)]);
      }
    }
  }
});

test.each([
  ["", true],
  ["aaa\nbbb\n", true],
  ["aaaa\n", true],
  ["aaaaa\n", false],
  ["aaa\nbbbbb", false],
  ["a\n\n\nbbbb\ncccc", true],
])("%j has only lines of up to four bytes: %s", (text, expected) => {
  expect(hasShortLines(Buffer.from(text), 4)).toBe(expected);
});

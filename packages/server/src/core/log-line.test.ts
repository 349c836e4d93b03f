import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLines, encodeLines, type StoredLine } from "./log-line.ts";

const line: fc.Arbitrary<StoredLine> = fc.record({
  at: fc.integer({ min: 0, max: 4e12 }),
  step: fc.oneof(fc.constantFrom("build", 'a "quoted" step'), fc.string({ unit: "grapheme" })),
  stream: fc.constantFrom("stdout", "stderr", "system"),
  text: fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", '"', "\\", "\t", "\u001b[31mred", "\u2028")),
});

test("what is encoded is JSON, a line each, and comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const encoded = encodeLines(lines);
      expect(decodeLines(encoded)).toEqual(lines);
      expect(encoded).toBe(lines.map(({ at, step, stream, text }) => JSON.stringify([at, step, stream, text])).join("\n"));
    }),
  );
});

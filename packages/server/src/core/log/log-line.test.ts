import fc from "fast-check";
import { expect, test } from "vitest";
import { blockOfLine, cutBlock, decodeLines, encodeBlocks, type LineBlock, type LineStream, linesOfBlock } from "./log-lines.ts";

const from = {
  at: fc.integer({ min: 0, max: 4e12 }),
  step: fc.oneof(fc.constantFrom("build", 'a "quoted" step'), fc.string({ unit: "grapheme" })),
  stream: fc.constantFrom<LineStream[]>("output", "stdout", "stderr", "system"),
};
const text = fc
  .oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", '"', "\\", "\t", "\u001b[31mred", "\u2028", '[1,"a","stdout",3]'))
  .map((line) => line.replaceAll("\n", ""));
const block = fc
  .record({ ...from, texts: fc.array(text, { minLength: 1, maxLength: 8 }) })
  .map(({ texts, ...more }): LineBlock => ({ ...more, text: Buffer.from(texts.join("\n")), lines: texts.length }));

test("what is encoded comes back line by line, whatever the lines hold", () => {
  fc.assert(
    fc.property(fc.array(block), (blocks) => {
      expect(decodeLines(encodeBlocks(blocks).toString())).toEqual(blocks.flatMap(linesOfBlock));
    }),
  );
});

test("a chunk of an earlier version, JSON for each line, is read as well, alone and before blocks", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ...from, text }), { minLength: 1 }), block, (lines, later) => {
      const old = lines.map(({ at, step, stream, text }) => JSON.stringify([at, step, stream, text])).join("\n");
      expect(decodeLines(old)).toEqual(lines);
      expect(decodeLines(`${old}\n${encodeBlocks([later])}`)).toEqual([...lines, ...linesOfBlock(later)]);
      expect(lines.map((line) => linesOfBlock(blockOfLine(line)))).toEqual(lines.map((line) => [line]));
    }),
  );
});

test("a block is cut between lines", () => {
  fc.assert(
    fc.property(block, fc.nat(8), fc.nat(10), (whole, start, more) => {
      const first = Math.min(start, whole.lines - 1);
      const cut = cutBlock(whole, first, first + 1 + more);
      const lines = linesOfBlock(whole).slice(first, first + 1 + more);
      expect([linesOfBlock(cut), cut.lines]).toEqual([lines, lines.length]);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { newMark, splitFrames } from "../../../catalog/programs/parts/one-pipe.mjs";

test("frames are distinguished from output wherever the bytes are cut", () => {
  const mark = newMark();
  const piece = fc.record({
    isFrame: fc.boolean(),
    text: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(mark.slice(0, 5), mark.slice(0, -1), "\x01", mark.repeat(2).slice(3, 30))),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(30), { maxLength: 30 }), (pieces, cuts) => {
      const bytes = Buffer.concat(
        pieces.flatMap(({ isFrame, text }) => {
          const data = Buffer.from(text);
          return isFrame ? [Buffer.from(mark + data.length.toString(16).padStart(6, "0")), data] : [data];
        }),
      );
      const seen = { out: "", err: "" };
      const frames = splitFrames(mark, {
        out(part) {
          seen.out += part.toString("latin1");
        },
        err(part) {
          seen.err += part.toString("latin1");
        },
      });
      let at = 0;
      for (const cut of cuts) {
        frames.write(bytes.subarray(at, at + cut));
        at += cut;
      }
      frames.write(bytes.subarray(at));
      frames.end();
      const expected = (isFrame: boolean) =>
        Buffer.from(pieces.map((each) => (each.isFrame === isFrame ? each.text : "")).join("")).toString("latin1");
      expect(seen).toEqual({ out: expected(false), err: expected(true) });
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { readLogIndex, writeLogIndex } from "./log-index.ts";

test("an index says where each chunk is in the object", () => {
  const number = fc.nat(2 ** 32 - 1);
  const chunk = fc.record({ seq: number, lineCount: number, rawBytes: number, bytes: number, crc32: number });
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      let offset = 0;
      const expected = chunks.map((one) => {
        const found = { ...one, offset };
        offset += one.bytes;
        return found;
      });
      expect(readLogIndex(writeLogIndex(chunks))).toEqual(expected);
    }),
  );
});

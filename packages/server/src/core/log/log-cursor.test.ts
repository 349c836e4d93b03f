import fc from "fast-check";
import { expect, test } from "vitest";
import { readLogCursor, writeLogCursor } from "./log-lines.ts";

test("a cursor that was written is read back", () => {
  const part = fc.nat(999_999_999);
  fc.assert(
    fc.property(part, part, part, (attempt, seq, line) => {
      expect(readLogCursor(writeLogCursor({ attempt, seq, line }))).toEqual({ attempt, seq, line });
    }),
  );
});

test.each(["", "1", "1.2", "1.2.3.4", "-1.2.3", "1.2.x", "1e3.2.3", " 1.2.3", "9999999999.0.0"])("%j is not a cursor", (text) => {
  expect(readLogCursor(text)).toBeUndefined();
});

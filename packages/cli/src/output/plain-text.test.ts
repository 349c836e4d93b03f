import fc from "fast-check";
import { expect, test } from "vitest";
import { plainLine, plainLogLine, plainText } from "./plain-text.ts";
import { formatJson } from "./print.ts";

const esc = "\u001b";

test.each([
  [`a${esc}[2Jb`, "a<U+001B>[2Jb"],
  ["a\u202eb", "a<U+202E>b"],
  ["bell\u0007, delete\u007f, old escape\u009b31m", "bell<U+0007>, delete<U+007F>, old escape<U+009B>31m"],
  ["two\nlines\tand a tab", "two\nlines\tand a tab"],
  ["ends\rhere", "ends<U+000D>here"],
])("%j is shown as %j", (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test("only the colors of a log reach a terminal, and they are reset at the end of the line", () => {
  const line = `${esc}[1;31mred${esc}[0m ${esc}]0;title\u0007${esc}[2J`;
  expect(plainLogLine(line, true)).toBe(`${esc}[1;31mred${esc}[0m <U+001B>]0;title<U+0007><U+001B>[2J${esc}[0m`);
  expect(plainLogLine(line, false)).toBe("red <U+001B>]0;title<U+0007><U+001B>[2J");
});

test("no text can control the terminal", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(plainLine(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(plainLogLine(text, false)).not.toMatch(/(?!\n|\t)[\p{Cc}\p{Cf}]/u);
      const json = formatJson({ text });
      expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});

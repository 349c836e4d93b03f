import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, maxBlockLines, maxLineBytes } from "./log-lines.ts";

function lines(...chunks: (string | Buffer)[]): string[] {
  const result: string[] = [];
  const splitter = new LineSplitter((text, count) => {
    const found = text.toString().split("\n");
    expect([found.length, count <= maxBlockLines]).toEqual([count, true]);
    result.push(...found);
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk as string));
  splitter.end();
  return result;
}

describe("lines of a stream", () => {
  it.each<[string, (string | Buffer)[], string[]]>([
    ["line feeds", ["a\nb\n"], ["a", "b"]],
    ["a last line without an end", ["a\nb"], ["a", "b"]],
    ["empty lines, kept", ["a\n\nb\n"], ["a", "", "b"]],
    ["CR LF as one end", ["a\r\nb\r\n"], ["a", "b"]],
    ["CR LF cut between", ["a\r", "\nb"], ["a", "b"]],
    ["a lone CR, as progress bars use it", ["10%\r20%\r30%\n"], ["10%", "20%", "30%"]],
    ["pieces of a line", ["a", "b", "c\nd"], ["abc", "d"]],
    ["nothing", [], []],
    ["NUL and bells as pictures", ["a\u0000b\u0007c\u007f"], ["a␀b␇c␡"]],
    [
      "colours kept, other escapes shown",
      ["\u001b[31mred\u001b[0m \u001b]52;c;x\u0007\u001b[2J"],
      ["\u001b[31mred\u001b[0m ␛]52;c;x␇␛[2J"],
    ],
    ["bytes that are no UTF-8", [Buffer.from([0x61, 0xff, 0x62, 0xed, 0xa0, 0x80])], ["a\ufffdb\ufffd\ufffd\ufffd"]],
    ["C1 controls", ["a\u009bb"], ["a\ufffdb"]],
  ])("handles %s", (_, chunks, expected) => {
    expect(lines(...chunks)).toEqual(expected);
  });

  it("keeps characters whole across chunks", () => {
    const bytes = Buffer.from("日本語\nå");
    expect(lines(...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(["日本語", "å"]);
  });

  it("splits a line that is too long between characters, and adds no empty line at its end", () => {
    const text = "é".repeat(maxLineBytes);
    const parts = lines(`${text}\nnext\n`);
    expect(parts.pop()).toBe("next");
    expect(parts).toHaveLength(2);
    expect(parts.join("")).toBe(text);
    expect(lines("x".repeat(maxLineBytes + 1), "\n")).toHaveLength(2);
    expect(lines("x".repeat(maxLineBytes), "\n")).toHaveLength(1);
    const odd = `a${"é".repeat(maxLineBytes)}`;
    expect(lines(odd).join("")).toBe(odd);
  });

  it("gives the same lines of large pieces, which are looked at as a whole, as of single bytes", () => {
    const line = fc.oneof(
      { weight: 32, arbitrary: fc.string({ maxLength: 200 }) },
      { weight: 12, arbitrary: fc.constantFrom("", "\r", "é", "\u0007", "\u001b[1mbold\u001b[0m", "tab\there") },
      { weight: 1, arbitrary: fc.constantFrom("x".repeat(maxLineBytes), "y".repeat(maxLineBytes + 1)) },
    );
    const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "");
    const text = fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 60 }).map((parts) =>
      parts
        .flat()
        .join("")
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may stay
        .replace(/[^\n\r\t\u0007\u001b -~é]/g, "_"),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const bytes = Buffer.from(texts.join(""));
        const single = lines(...[...bytes].map((byte) => Buffer.from([byte])));
        expect(lines(...texts)).toEqual(single);
        expect(lines(bytes)).toEqual(single);
      }),
      { numRuns: 20 },
    );
  });

  it("hands over no more lines at once than are allowed, of plain text and of other", () => {
    for (const line of ["", "plain", "é"]) {
      const many = Array.from({ length: 2 * maxBlockLines + 7 }, () => line);
      expect(lines(`${many.join("\n")}\n`)).toEqual(many);
    }
  });

  it("never gives out NUL, line ends, lone surrogates or a line over the limit, whatever comes in and however it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        const whole = lines(Buffer.concat(chunks));
        expect(lines(...chunks.map((chunk) => Buffer.from(chunk)))).toEqual(whole);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        for (const line of whole) expect(/[\u0000\n\r]|\p{Surrogate}/u.test(line)).toBe(false);
      }),
    );
  });
});

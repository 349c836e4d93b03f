import fc from "fast-check";
import { expect, test } from "vitest";
import { LogPosition } from "./log-position.ts";

/** What is new in a log after `read` was read, with the log in pieces of that size. */
function findNew(position: LogPosition, log: string, size = 1_000): string {
  const readOn = position.readAgain();
  const bytes = Buffer.from(log);
  let found = "";
  for (let at = 0; at < bytes.length; at += size) found += readOn(bytes.subarray(at, at + size)).toString();
  return found;
}

function after(...pieces: string[]): LogPosition {
  const position = new LogPosition();
  for (const piece of pieces) position.advance(Buffer.from(piece));
  return position;
}

test.each([
  ["nothing was read before", "", "one\n", "one\n"],
  ["it has the same", "one\ntwo\n", "one\ntwo\n", ""],
  ["it is not complete yet", "one\ntwo\n", "one\n", ""],
  ["it has more", "one\n", "one\ntwo\n", "two\n"],
  ["it lost the last line", "one\ntwo\n", "one\nthree\nfour\n", "three\nfour\n"],
  ["it lost the last line, whose beginning is like the next", "line 9\n", "line 10\n", "line 10\n"],
  ["it lost a line, and more of the next was read", "one\ntwo\nth", "one\nree\nfour\n", "ree\nfour\n"],
  ["it lost all", "one\ntwo\n", "three\n", "three\n"],
])("when %s, the log has as new what was not read", (_, read, log, expected) => {
  for (const size of [1, 3, 1_000]) expect(findNew(after(read), log, size), `pieces of ${size}`).toBe(expected);
});

test("a line longer than one piece of the log is read once, even if pieces of it were read before", () => {
  const pieces = ["a", "b", "c"].map((letter) => letter.repeat(16_384));
  const [first = "", second = "", third = ""] = pieces;
  expect(findNew(after("one\n", first, second, `${third.slice(0, 9)}x`), `one\n${first}${second}${third}\n`)).toBe(`${third}\n`);
  const endless = after("-".repeat(200_000), "lost");
  expect(findNew(endless, `${"-".repeat(200_000)}new\n`)).toBe("new\n");
});

test("a line that was read once is not read again, even after the log has lost lines", () => {
  const position = after("one\ntwo\n");
  expect(findNew(position, "one\nthree\n")).toBe("three\n");
  expect(findNew(position, "one\nthree\n")).toBe("");
  expect(findNew(position, "one\nthree\nfour\n")).toBe("four\n");
});

test("no line is lost or duplicated, however many of the last lines the log lost and however much was read before", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 12_000 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 70_000 }),
      (first, lost, later, size) => {
        const text = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join("");
        const read = first + lost;
        const position = after(text(0, first), text(first, read));
        expect(findNew(position, text(0, first) + text(read, read + later), size)).toBe(text(read, read + later));
      },
    ),
    { numRuns: 60 },
  );
});

import { describe, expect, test } from "vitest";
import { linesThatMatter } from "./failure-lines.ts";

const log = (...texts: string[]) => texts.map((text) => ({ time: "2026-03-01T12:00:00.000Z", step: "work", text }));
const numbered = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => `line ${first + n}`);
const textsOf = (lines: ReturnType<typeof linesThatMatter>) => lines.map(({ text }) => text);

describe("the lines of a log that matter", () => {
  test("are those around the last error, though the program went on", () => {
    const shown = linesThatMatter(log(...numbered(1, 20), "Error: no such table", ...numbered(22, 60)));
    expect(textsOf(shown)).toEqual(["line 19", "line 20", "Error: no such table", ...numbered(22, 26)]);
    expect(shown.filter(({ isError }) => isError)).toHaveLength(1);
  });

  test("are the last ones where none looks like an error", () => {
    expect(textsOf(linesThatMatter(log(...numbered(1, 20), "", " ")))).toEqual(numbered(13, 20));
  });

  test("are all of a short log, and each is cut", () => {
    expect(textsOf(linesThatMatter(log("one", "Error: two")))).toEqual(["one", "Error: two"]);
    expect(textsOf(linesThatMatter(log("x".repeat(500))))[0]).toHaveLength(402);
    expect(linesThatMatter([])).toEqual([]);
  });
});

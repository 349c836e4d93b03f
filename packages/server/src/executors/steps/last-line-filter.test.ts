import { describe, expect, test } from "vitest";
import { LastLineFilter } from "./last-line-filter.ts";

const words = "launcher: the step was killed";

function filtered(...blocks: string[]): { lines: string[]; isLast: boolean } {
  const lines: string[] = [];
  const filter = new LastLineFilter(words, (text, count) => {
    expect(text.toString().split("\n").length).toBe(count);
    lines.push(...text.toString().split("\n"));
  });
  for (const block of blocks) filter.push(Buffer.from(block), block.split("\n").length);
  return { isLast: filter.isLast, lines };
}

describe("the final message of a launcher", () => {
  test.each([
    ["alone", [words], []],
    ["in a block of their own", ["one", words], ["one"]],
    ["at the end of a block", [`one\ntwo\n${words}`], ["one", "two"]],
    ["after an empty line", [`one\n\n${words}`], ["one", ""]],
    ["behind a line without an end", [`one\ntwo${words}`], ["one", "two"]],
  ])("are left out: %s", (_, blocks, lines) => {
    expect(filtered(...blocks)).toEqual({ lines, isLast: true });
  });

  test.each([
    ["no such line", ["one", "two"]],
    ["others after it", [words, words.slice(1)]],
    ["only a part of it", [words.slice(1)]],
    ["something behind it", [`${words} `]],
  ])("keep every line where there is %s", (_, blocks) => {
    expect(filtered(...blocks)).toEqual({ lines: blocks, isLast: false });
  });
});

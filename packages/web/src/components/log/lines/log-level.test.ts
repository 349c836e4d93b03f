import { expect, test } from "vitest";
import { levelOf, levelPattern } from "./log-level.ts";

const lines: [string, ReturnType<typeof levelOf>][] = [
  ["2026-01-02 03:04:05 ERROR no address", "error"],
  ["ERROR: no address", "error"],
  ["[error] no address", "error"],
  ["<Warn> slow", "warning"],
  ["WARNING  slow", "warning"],
  ["time=3 level=error msg=x", "error"],
  ['time=3 level="warn" msg=x', "warning"],
  ['{"level":"error","msg":"x"}', "error"],
  ['{"msg":"x", "severity" : "WARNING"}', "warning"],
  ["INFO all is well", "info"],
  ["[DEBUG] x", "debug"],
  ["0 errors, no error", undefined],
  ["an error in lower case says nothing of a level", undefined],
  ["levels=error", undefined],
  [`${"x ".repeat(60)}ERROR far behind the beginning`, undefined],
];

test.each(lines)("%j is of the level %s", (line, level) => {
  expect(levelOf(line)).toBe(level);
});

/** Without the group syntax that only RE2 supports, as far as these lines need it. */
const asRegExp = (pattern: string) => (line: string) => {
  const [begin, anyCase] = [pattern, pattern].map((one) => one.replaceAll("(?i:", "(?:"));
  return new RegExp(begin as string).test(line) || (new RegExp(anyCase as string, "i").test(line) && levelOf(line) !== undefined);
};

test("the pattern sent to the service finds the same lines", () => {
  const found = (least: "error" | "warning") => lines.filter(([line]) => asRegExp(levelPattern(least))(line)).map(([, level]) => level);
  expect(new Set(found("error"))).toEqual(new Set(["error"]));
  expect(new Set(found("warning"))).toEqual(new Set(["error", "warning"]));
  expect(found("warning").length).toBe(lines.filter(([, level]) => level === "error" || level === "warning").length);
});

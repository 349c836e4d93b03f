import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { describeLine, openLogOutput } from "./log-text.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const written: string[] = [];
  write(createLog("info", { write: (line: string) => void written.push(describeLine(line)) }));
  return written.join("");
}

test("a line says when, how important, what, and the fields", () => {
  const text = logged((log) => log.warn({ runId: "019a", status: "lost", why: "two words", attempts: 2 }, 'the "first" attempt was lost'));
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}the "first" attempt was lost runId=019a status=lost why="two words" attempts=2\n$/);
});

test("an error is below its line, with its causes and where it happened", () => {
  const text = logged((log) => log.error({ err: new Error("no", { cause: new Error("the disk is full") }) }, "it failed"));
  const lines = text.split("\n");
  expect(lines[0]).toMatch(/error it failed$/);
  expect(lines[1]).toBe("    Error: no");
  expect(lines[2]).toMatch(/^ {4}at /);
  expect(lines).toContain("    caused by Error: the disk is full");
});

test("text from outside can't start a line or control the terminal", () => {
  const evil = "a\nb\r\u001b]0;x\u0007\u009b31m\u2028\u202e";
  const text = logged((log) => log.error({ name: evil, [evil]: 1, err: new Error(evil) }, evil));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  for (const line of text.trimEnd().split("\n").slice(1)) expect(line).toMatch(/^ {4}(Error: |at )/);
});

test.each([
  "not JSON \u001b[2J\n",
  "null",
  "7",
  '{"time":5,"level":{"a":"\\u001b[2J"},"msg":null}',
  '{"level":"constructor","time":"\\u001b[2J\\u001b[2J\\u001b[2J","err":{"stack":1}}',
])("%j, which is not one of our lines, is shown as it is", (line) => {
  const text = describeLine(line);
  expect(text.endsWith("\n")).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f]/);
});

test("the format is text at a terminal, and JSON elsewhere unless it is asked for", () => {
  const out = { isTTY: true, write: () => true };
  expect(openLogOutput("auto", out)).toBeDefined();
  expect(openLogOutput("json", out)).toBeUndefined();
  const file = { write: () => true };
  expect(openLogOutput("auto", file)).toBeUndefined();
  expect(openLogOutput("text", file)).toBeDefined();
});

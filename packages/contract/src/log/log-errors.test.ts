import { expect, test } from "vitest";
import { looksLikeError, mayHoldErrors } from "./log-errors.ts";

test.each([
  "Error: the needle broke",
  "TypeError: x is not a function",
  "##[error]Process completed with exit code 1.",
  "::error file=a.ts,line=3::unused",
  "[ERROR] COMPILATION ERROR :",
  "level=error msg=gone",
  "npm ERR! code ELIFECYCLE",
  "2 failed, 3 passed",
  "Traceback (most recent call last):",
  "CRITICAL: disk",
  "ls: cannot access '/no/such': No such file or directory",
  "sh: 1: frob: Permission denied",
  "frob: not found",
  "bash: line 1: frob: command not found",
  "Segmentation fault (core dumped)",
  "curl: (7) Failed to connect",
])("%s looks like an error, in a line and in a chunk", (text) => {
  expect([looksLikeError({ text }), looksLikeError({ text, stream: "stderr" }), mayHoldErrors(`a\n${text}\nb`)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(looksLikeError({ text, stream: "system" })).toBe(false);
});

test.each(["0 errors", "no error", "0 failed, 3 passed", "done without failure", "mirror", "terrors", "12 packages found", "refusedness"])(
  "%s is none",
  (text) => expect(looksLikeError({ text })).toBe(false),
);

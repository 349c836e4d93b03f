import { expect, test } from "vitest";
import { expectedWords, runExpectationWords } from "./expected-words.ts";

const usual = {
  runs: 30,
  succeeded: 29,
  failed: 1,
  duration: { p10: 90_000, p50: 120_000, p90: 180_000 },
  queueTime: { p10: 0, p50: 0, p90: 0 },
};

test.each([
  [{ ...usual, deadline: 600_000 }, "usually 2 min; deadline 10 min"],
  [usual, "usually 2 min"],
  [{ ...usual, expected: 240_000 }, "usually 2 min; expected 4 min"],
  [{ ...usual, succeeded: 4, deadline: 600_000 }, "deadline 10 min"],
  [{ ...usual, succeeded: 0 }, ""],
])("of %j: %s", (of, words) => {
  expect(expectedWords(of)).toBe(words);
});

const minute = 60_000;
const known = { usualDuration: 4 * minute, expectedDuration: 5 * minute, deadline: 10 * minute };
const late = (limit: "usual" | "expected" | "deadline") => ({ ...known, late: { limit, dueDate: "" } });

test.each([
  [known, "usually 4 min; expected 5 min; deadline 10 min"],
  [late("usual"), "late: usually 4 min, running 12 min"],
  [late("expected"), "late: expected 5 min, running 12 min"],
  [late("deadline"), "late: deadline 10 min, submitted 13 min ago"],
])("of a run: %j: %s", (of, words) => {
  const run = { creationDate: new Date(0).toISOString(), startTime: new Date(minute).toISOString() };
  expect(runExpectationWords(of, run, 13 * minute)).toBe(words);
});

import { expect, test } from "vitest";
import { expectedWords } from "./expected-words.ts";

const usual = {
  runs: 30,
  succeeded: 29,
  failed: 1,
  duration: { p10: 90_000, p50: 120_000, p90: 180_000 },
  queueTime: { p10: 0, p50: 0, p90: 0 },
};

test.each([
  [{ ...usual, deadline: 600_000 }, undefined, "usually 2 min; deadline 10 min"],
  [usual, undefined, "usually 2 min"],
  [{ ...usual, succeeded: 4, deadline: 600_000 }, undefined, "deadline 10 min"],
  [{ ...usual, deadline: 600_000 }, "1h30m", "usually 2 min; deadline 1h30m"],
  [{ ...usual, deadline: 600_000 }, "none", "usually 2 min"],
  [{ ...usual, succeeded: 0 }, undefined, ""],
])("of %j with the run's own deadline %j: %s", (of, own, words) => {
  expect(expectedWords(of, own)).toBe(words);
});

import { expect, test } from "vitest";
import { durationText, relativeTime } from "./time-format.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const day = 86_400_000;

test.each([
  [-5 * 60_000, "5 min ago"],
  [-day, "yesterday"],
  [day, "tomorrow"],
  [-40 * day, "1 mo ago"],
  [35 * day, "in 1 mo"],
  [400 * day, "in 1 yr"],
])("%d ms from now is %s", (distance, words) => {
  expect(relativeTime(new Date(now + distance).toISOString(), now)).toBe(words);
});

test.each([
  [820, "820 ms"],
  [4_200, "4.2 s"],
  [185_000, "3 min 5 s"],
  [7_440_000, "2 h 4 min"],
  [266_400_000, "3 d 2 h"],
])("%d ms take %s", (ms, words) => {
  expect(durationText(ms)).toBe(words);
});

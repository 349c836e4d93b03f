import { expect, test } from "vitest";
import { durationText } from "../time/time-format.ts";
import { durationTicks } from "./series.ts";

test.each([
  [0, ["0 ms", "1 ms"]],
  [340, ["0 ms", "100 ms", "200 ms", "300 ms", "400 ms"]],
  [8_200, ["0 ms", "5.0 s", "10 s"]],
  [554_000, ["0 ms", "5 min", "10 min"]],
  [9 * 3_600_000, ["0 ms", "3 h", "6 h", "9 h"]],
])("an axis up to %d ms has round ticks of one unit", (longest, words) => {
  expect(durationTicks(longest).map(durationText)).toEqual(words);
});

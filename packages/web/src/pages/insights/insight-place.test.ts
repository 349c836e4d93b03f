import { expect, test } from "vitest";
import { daysOfPlace, filterOf, insightDefaults, tidyPlace } from "./insight-place.ts";

test.each([
  [{ range: "1d" }, "2031-03-30", "2031-03-30"],
  [{ range: "7d" }, "2031-03-24", "2031-03-30"],
  [{}, "2031-03-01", "2031-03-30"],
  [{ range: "unknown" }, "2031-03-01", "2031-03-30"],
  [{ range: "custom", from: "2031-01-05", to: "2031-01-06" }, "2031-01-05", "2031-01-06"],
  [{ range: "custom", from: "2031-01-06", to: "2031-01-05" }, "2031-03-01", "2031-03-30"],
  [{ range: "custom", from: "", to: "2031-01-05" }, "2031-03-01", "2031-03-30"],
])("%j looks at %s to %s", (change, first, last) => {
  expect(daysOfPlace({ ...insightDefaults, ...change }, "2031-03-30")).toEqual({ first, last });
});

test("whole days of the zone are asked for, across a change of its clocks", () => {
  const filter = filterOf({ ...insightDefaults, range: "7d", workflows: ["a"] }, "Europe/Berlin", Date.parse("2031-03-31T12:00:00Z"));
  expect(filter).toEqual({
    fromDate: Date.parse("2031-03-24T23:00:00Z"),
    toDate: Date.parse("2031-03-31T22:00:00Z"),
    timezone: "Europe/Berlin",
    workflows: ["a"],
  });
});

test("an address that a user typed is understood", () => {
  expect(tidyPlace({ ...insightDefaults, workflows: "nightly" as never, from: 2031 as never })).toMatchObject({
    workflows: ["nightly"],
    from: "2031",
  });
});

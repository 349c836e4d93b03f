import { expect, test } from "vitest";
import { forecastHours, plannedRuns } from "./schedule-forecast.ts";

const minute = 60_000;
/** Three hours before the next month. */
const nine = Date.UTC(2026, 0, 31, 21);
const limits = { maxConcurrent: 2, maxMonthly: 1000, usedThisMonth: 0 };
const at = (minutes: number, takes = 0) => ({ atMs: nine + minutes * minute, durationMs: takes * minute });

test("runs are counted in the hour of their start, and the most at once in each hour that they last", () => {
  const hours = forecastHours([at(10, 70), at(20, 5), at(24, 5), at(60), at(150)], nine, 4, limits);
  expect(hours.map(({ runs, concurrent }) => [runs, concurrent])).toEqual([
    [3, 3],
    [1, 2],
    [1, 1],
    [0, 0],
  ]);
  expect(hours.map(({ isOverConcurrent }) => isOverConcurrent)).toEqual([true, false, false, false]);
});

test("a run that ends makes place for the next at the same moment", () => {
  const hours = forecastHours([at(0, 60), at(60, 60)], nine, 3, { ...limits, maxConcurrent: 1 });
  expect(hours.map(({ concurrent, isOverConcurrent }) => [concurrent, isOverConcurrent])).toEqual([
    [1, false],
    [1, false],
    [0, false],
  ]);
});

test("runs of the month are counted with those that were submitted, and from zero in the next month", () => {
  const hours = forecastHours([at(1), at(70), at(130), at(190)], nine, 4, { ...limits, maxMonthly: 6, usedThisMonth: 4 });
  expect(hours.map(({ isOverMonthly }) => isOverMonthly)).toEqual([false, false, true, false]);
  const unlimited = { maxConcurrent: Number.POSITIVE_INFINITY, maxMonthly: Number.POSITIVE_INFINITY, usedThisMonth: 4 };
  expect(forecastHours([at(1)], nine, 1, unlimited)[0]).toMatchObject({ isOverConcurrent: false, isOverMonthly: false });
});

test("an overlap policy leaves out a run, or ends the one before", () => {
  const times = [0, 10, 20, 30].map((minutes) => minutes * minute);
  const shown = (policy: "skip" | "queue" | "cancel", takes: number) =>
    plannedRuns(times, takes * minute, policy).map(({ atMs, durationMs }) => [atMs / minute, durationMs / minute]);
  expect(shown("skip", 15)).toEqual([
    [0, 15],
    [20, 15],
  ]);
  expect(shown("cancel", 15).map(([, takes]) => takes)).toEqual([10, 10, 10, 15]);
  expect(shown("queue", 15)).toHaveLength(4);
  expect(shown("skip", 10)).toHaveLength(4);
});

import { expect, test } from "vitest";
import type { RunPoint } from "../../api/queries/run/activity.ts";
import { nearestPoint, plotRuns, rangeBetween } from "./run-points.ts";

const at = (time: string) => new Date(`2026-03-01T${time}`).toISOString();
const nowMs = new Date("2026-03-01T12:00").getTime();
const run = (id: string, time: string, duration: number, more: Partial<RunPoint> = {}): RunPoint => ({
  id,
  status: "succeeded",
  phase: "completed",
  creationDate: at(time),
  duration,
  workflowName: "build",
  ...more,
});

test("runs stand by time from left to right, and longer ones higher", () => {
  const plot = plotRuns([run("a", "10:00", 1_000), run("b", "10:30", 3_600_000), run("c", "11:00", 60_000)], nowMs);
  const [a, b, c] = plot!.points;
  expect(a!.across).toBeLessThan(b!.across);
  expect(b!.across).toBeCloseTo(0.5);
  expect([a!.up < c!.up, c!.up < b!.up]).toEqual([true, true]);
  for (const { across, up } of plot!.points) expect([across > 0 && across < 1, up >= 0 && up <= 1]).toEqual([true, true]);
  expect(plot!.durations.length).toBeLessThanOrEqual(3);
});

test("without runs there is no chart, and a single run is in the middle", () => {
  expect(plotRuns([], nowMs)).toBeUndefined();
  expect(plotRuns([run("a", "10:00", 0)], nowMs)!.points[0]!.across).toBeCloseTo(0.5);
});

test("no two times below the chart are of the same second, however close the runs are", () => {
  for (const last of ["10:00:00.000", "10:00:00.400", "10:00:02.000", "10:00:09.000"]) {
    const { times } = plotRuns([run("a", "10:00:00.000", 1_000), run("b", last, 1_000)], nowMs)!;
    const seconds = times.map(({ at: time }) => Math.floor(time.getTime() / 1_000));
    expect([last, new Set(seconds).size]).toEqual([last, times.length]);
  }
});

test("the duration of an active run is the time since its start; a chart of a period starts with the period", () => {
  const plot = plotRuns([run("a", "11:00", 0, { phase: "running", startTime: at("11:59") })], nowMs, 4 * 3_600_000);
  expect(plot!.points[0]).toMatchObject({ durationMs: 60_000 });
  expect(plot!.points[0]!.across).toBeCloseTo(0.75, 2);
});

test("a click finds the nearest run; a selection is a time range in either direction", () => {
  const plot = plotRuns([run("a", "10:00", 1_000), run("b", "11:00", 2_000)], nowMs)!;
  const [a] = plot.points;
  const box = { width: 1000, height: 80 };
  expect(nearestPoint(plot, { ...box, x: a!.across * 1000 + 4, y: a!.up * 80 - 3 })?.run.id).toBe("a");
  expect(nearestPoint(plot, { ...box, x: 500, y: 0 })).toBeUndefined();
  const range = rangeBetween(plot, 1, 0);
  expect(range).toEqual(rangeBetween(plot, 0, 1));
  expect([range.from < "2026-03-01T10:00:00", range.to > "2026-03-01T11:00:00"]).toEqual([true, true]);
});

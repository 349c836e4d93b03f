import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import type { RunPoint } from "../../api/queries/run/activity.ts";

/** A run with its position in the chart, as fractions of the width from the left and of the height from the bottom. */
export interface PlacedPoint {
  run: RunPoint;
  across: number;
  up: number;
  durationMs: number;
}

export interface RunPlot {
  points: PlacedPoint[];
  fromMs: number;
  toMs: number;
  /** The labels of the time axis, below the chart. */
  times: { across: number; at: Date }[];
  /** The labels of the duration axis, beside the chart. */
  durations: { up: number; ms: number }[];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const marks = [100, second, 10 * second, minute, 10 * minute, hour, 6 * hour, 24 * hour, 168 * hour, 720 * hour];
/** Shorter durations are drawn as this one: a logarithmic scale has no lower end. */
const shortestMs = 50;

/**
 * Positions runs by their creation time and duration. The duration axis is logarithmic, so that seconds and hours fit in one chart.
 * @param sinceMs the time axis starts this long before now instead of at the first run
 */
export function plotRuns(runs: readonly RunPoint[], nowMs: number, sinceMs?: number): RunPlot | undefined {
  if (runs.length === 0) return undefined;
  const created = runs.map(({ creationDate }) => new Date(creationDate).getTime());
  const [first, last] = [Math.min(...created), Math.max(...created)];
  // Keeps runs away from the edges, and puts a single run in the middle.
  const edge = Math.max((last - first) * 0.02, second);
  const [fromMs, toMs] = sinceMs === undefined ? [first - edge, last + edge] : [Math.min(first - edge, nowMs - sinceMs), nowMs + edge];
  const durations = runs.map((run) => durationOf(run, nowMs));
  const scale = durationScale(durations);
  const points = runs.map((run, index) => ({
    run,
    across: ((created[index] as number) - fromMs) / (toMs - fromMs),
    up: scale.up(durations[index] as number),
    durationMs: durations[index] as number,
  }));
  // Below a second apart, two would be the same.
  const parts = toMs - fromMs < 4 * second ? 2 : 4;
  const times = Array.from({ length: parts + 1 }, (_, part) => part / parts).map((across) => ({
    across,
    at: new Date(fromMs + (toMs - fromMs) * across),
  }));
  return { points, fromMs, toMs, times, durations: scale.ticks };
}

function durationOf(run: RunPoint, nowMs: number): number {
  if (isRunOver(run)) return run.duration;
  return run.startTime === undefined ? 0 : Math.max(0, nowMs - new Date(run.startTime).getTime());
}

function durationScale(durations: readonly number[]) {
  const longest = Math.max(shortestMs * 4, ...durations);
  const shortest = Math.max(shortestMs, Math.min(...durations));
  const low = Math.log(Math.max(shortestMs, shortest * 0.7));
  const high = Math.log(longest * 1.2);
  const up = (ms: number) => Math.min(1, Math.max(0, (Math.log(Math.max(shortestMs, ms)) - low) / (high - low)));
  const inside = marks.filter((ms) => Math.log(ms) > low && Math.log(ms) < high);
  // There is room for three labels.
  const step = Math.ceil(inside.length / 3);
  return { up, ticks: inside.filter((_, index) => index % step === 0).map((ms) => ({ ms, up: up(ms) })) };
}

/**
 * The point nearest to a position in the chart, if one is close enough.
 * @param width, height, x, y in pixels, from the bottom left
 */
export function nearestPoint(
  plot: RunPlot,
  { width, height, x, y }: { width: number; height: number; x: number; y: number },
): PlacedPoint | undefined {
  const far = (point: PlacedPoint) => Math.hypot(point.across * width - x, point.up * height - y);
  const nearest = plot.points.reduce((best, point) => (far(point) < far(best) ? point : best));
  return far(nearest) <= 10 ? nearest : undefined;
}

/** A time in the format of an input field for date and time, to the second. */
export function toLocalTime(ms: number): string {
  const date = new Date(ms);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The time range between two positions. Its end is rounded up, so that the last second is included. */
export function rangeBetween({ fromMs, toMs }: RunPlot, one: number, other: number): { from: string; to: string } {
  const at = (share: number) => fromMs + (toMs - fromMs) * Math.min(1, Math.max(0, share));
  return { from: toLocalTime(at(Math.min(one, other))), to: toLocalTime(at(Math.max(one, other)) + 999) };
}

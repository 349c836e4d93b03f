const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Round durations, so that each tick is a single number with a single unit. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((one) => one * second),
  ...[1, 2, 5, 10, 15, 30].map((one) => one * minute),
  ...[1, 2, 3, 6, 12].map((one) => one * hour),
  ...[1, 2, 5, 10, 30, 100, 300].map((one) => one * day),
];

/** From 0 to the first round duration not below the longest value: at most four intervals. */
export function durationTicks(longestMs: number): number[] {
  const step = steps.find((one) => longestMs / one <= 4) ?? steps[steps.length - 1] ?? day;
  return Array.from({ length: Math.max(1, Math.ceil(longestMs / step)) + 1 }, (_, index) => index * step);
}

/** The axis of days below each chart. */
export const dayAxis = {
  dataKey: "axis",
  tickLine: false,
  stroke: "var(--line-strong)",
  tick: { fill: "var(--ink-quiet)", fontSize: 12 },
  minTickGap: 24,
} as const;

/** The axis of values beside each chart. */
export const valueAxis = { tickLine: false, axisLine: false, tick: { fill: "var(--ink-quiet)", fontSize: 12 } } as const;

/** The pattern that distinguishes a series without relying on colour. */
export type Fill = "solid" | "hatched" | "dotted";

export interface Series {
  key: string;
  label: string;
  /** A token, e.g. `var(--status-failed)`. */
  color: string;
  fill: Fill;
}

/** A point on the time axis with the value of each series; null if there is none. */
export interface ChartRow {
  key: string;
  /** Shown below the axis. */
  label: string;
  /** The full label, where there is space. */
  title: string;
  values: Readonly<Record<string, number | null>>;
}

export interface ChartProps {
  /** The label for screen readers. */
  label: string;
  rows: readonly ChartRow[];
  series: readonly Series[];
  format: (value: number) => string;
  /** The positions of the ticks for values up to `most`; left out: chosen automatically. */
  ticksOf?: (most: number) => number[];
  /** Called when a row is clicked. */
  onChoose?: (row: string, series: string) => void;
}

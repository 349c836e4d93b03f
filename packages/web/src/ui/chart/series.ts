const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Distances that people count time in, so that each tick is one number with one unit. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((one) => one * second),
  ...[1, 2, 5, 10, 15, 30].map((one) => one * minute),
  ...[1, 2, 3, 6, 12].map((one) => one * hour),
  ...[1, 2, 5, 10, 30, 100, 300].map((one) => one * day),
];

/** From nothing to the first round duration that is not below the longest: four gaps at most. */
export function durationTicks(longestMs: number): number[] {
  const step = steps.find((one) => longestMs / one <= 4) ?? steps[steps.length - 1] ?? day;
  return Array.from({ length: Math.max(1, Math.ceil(longestMs / step)) + 1 }, (_, index) => index * step);
}

/** How the days stand below each chart. */
export const dayAxis = {
  dataKey: "axis",
  tickLine: false,
  stroke: "var(--line-strong)",
  tick: { fill: "var(--ink-quiet)", fontSize: 12 },
  minTickGap: 24,
} as const;

/** How the values stand beside each chart. */
export const valueAxis = { tickLine: false, axisLine: false, tick: { fill: "var(--ink-quiet)", fontSize: 12 } } as const;

/** How a series is told from the others of its chart without its colour. */
export type Fill = "solid" | "hatched" | "dotted";

export interface Series {
  key: string;
  label: string;
  /** A token, such as `var(--status-failed)`. */
  color: string;
  fill: Fill;
}

/** One place on the time axis with the value of each series; null where there is none. */
export interface ChartRow {
  key: string;
  /** Under the axis. */
  label: string;
  /** In full, where there is room. */
  title: string;
  values: Readonly<Record<string, number | null>>;
}

export interface ChartProps {
  /** What it is, for who does not see it. */
  label: string;
  rows: readonly ChartRow[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Where the axis has its marks, for values up to that; of themselves where it is left out. */
  ticksOf?: (most: number) => number[];
  /** What a press on a row leads to. */
  onChoose?: (row: string, series: string) => void;
}

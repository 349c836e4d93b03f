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

/** The 10th, 50th and 90th percentile, in milliseconds; null if there are no values. */
export interface UsualRange {
  p10: number | null;
  p50: number | null;
  p90: number | null;
}

/** Interpolated linearly between two measured values. */
export function usualRange(values: readonly number[]): UsualRange {
  const sorted = [...values].sort((one, other) => one - other);
  return { p10: valueAt(sorted, 0.1), p50: valueAt(sorted, 0.5), p90: valueAt(sorted, 0.9) };
}

function valueAt(sorted: readonly number[], fraction: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * fraction;
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return Math.round(low + (high - low) * (place - Math.floor(place)));
}

/** The tenth, the middle and the ninetieth of a hundred, in milliseconds; null when there is nothing to measure. */
export interface UsualRange {
  p10: number | null;
  p50: number | null;
  p90: number | null;
}

/** Between two values that were measured it lies on the line between them. */
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

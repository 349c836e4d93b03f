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

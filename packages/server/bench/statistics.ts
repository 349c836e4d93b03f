/** The value below which that share (0 to 1) of the sample lies: the nearest one, without interpolation. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function median(sample: readonly number[]): number {
  return percentile(sample, 0.5);
}

/** Milliseconds that the work took. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Repeats the work until the time is up; returns how often per second. `atOnce` callers work side by side. */
export async function ratePerSecond(durationMs: number, atOnce: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  const caller = async () => {
    while (performance.now() - startedAt < durationMs) {
      await work();
      count++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return (count * 1000) / (performance.now() - startedAt);
}

/** Does the work this many times, `atOnce` side by side; the argument counts from 0. */
export async function repeat(times: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, times) }, caller));
}

import { expect } from "vitest";

/**
 * Limits on computing work that hold however busy or slow the machine is: they count processor time of this process, and if that is too
 * high, compare it with a reference piece of work at that moment. On a shared core, or at a lower clock rate, both take longer.
 */

/** How long the reference work takes on the machine that the limits were set on, in ms of processor time. */
const yardstickThereMs = 6;

/**
 * Starts to count. The returned function stops, and fails if the work took more than this many ms on the machine that the limits were set
 * on.
 *
 *     const expectWithin = startWork();
 *     …
 *     expectWithin(1000);
 */
export function startWork(): (limitMs: number) => void {
  const begin = processorMs();
  return (limitMs) => {
    const worked = processorMs() - begin;
    if (worked < limitMs) return;
    const slowness = Math.max(1, yardstickMs() / yardstickThereMs);
    expect(worked / slowness, `${worked} ms on a machine that takes ${slowness} times as long`).toBeLessThan(limitMs);
  };
}

/** The same for work that can be repeated: takes the best of three, since the first also compiles, and may pay for what ran before. */
export function expectWork(limitMs: number, work: () => void): void {
  for (let left = 3; left > 0; left--) {
    const expectWithin = startWork();
    work();
    try {
      return expectWithin(limitMs);
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/**
 * The same for work of other processes, too (the database): measured by the clock. If it takes too long, the reference work is measured
 * beside everything else that runs at that moment.
 */
export function startClock(): (limitMs: number) => void {
  const begin = performance.now();
  return (limitMs) => expectElapsed(performance.now() - begin, limitMs);
}

/** @param elapsedMs by the clock */
export function expectElapsed(elapsedMs: number, limitMs: number): void {
  if (elapsedMs < limitMs) return;
  const begin = performance.now();
  let rounds = 0;
  while (performance.now() - begin < 500) {
    work();
    rounds++;
  }
  const slowness = Math.max(1, (performance.now() - begin) / rounds / yardstickThereMs);
  expect(elapsedMs / slowness, `${elapsedMs} ms on a machine that takes ${slowness} times as long`).toBeLessThan(limitMs);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The fastest of three, so that it is compiled. */
function yardstickMs(): number {
  const times = Array.from({ length: 3 }, () => {
    const begin = processorMs();
    work();
    return processorMs() - begin;
  });
  return Math.min(...times);
}

/** Uses texts and maps, like most of what is measured. */
function work(): void {
  const counts = new Map<string, number>();
  for (let index = 0; index < 60_000; index++) {
    const key = `key ${(index * 7919) % 5000}`;
    counts.set(key, (counts.get(key) ?? 0) + key.length);
  }
  if (counts.size !== 5000) throw new Error("the yardstick is wrong");
}

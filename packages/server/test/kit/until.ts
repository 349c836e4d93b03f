import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits for something that only shows in rows, or in another process. Looks again and again; fails with the words given when it takes
 * longer than the deadline, which is there for tests that would hang, not to measure anything.
 */
export async function until(isTrue: () => Promise<boolean | undefined> | boolean, what: string, deadlineMs = 60_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    if (await isTrue()) return;
    if (performance.now() > end) throw new Error(`waited for ${deadlineMs} ms in vain: ${what}`);
    await pause(10);
  }
}

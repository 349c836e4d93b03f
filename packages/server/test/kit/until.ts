import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits for something that is only visible in rows, or in another process. Polls, and fails with the given words after the deadline, which
 * exists for tests that would hang and does not measure anything.
 */
export async function until(isTrue: () => Promise<boolean | undefined> | boolean, what: string, deadlineMs = 60_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    if (await isTrue()) return;
    if (performance.now() > end) throw new Error(`waited for ${deadlineMs} ms in vain: ${what}`);
    await pause(10);
  }
}

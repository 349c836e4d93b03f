import type { Readable } from "node:stream";
import type { Log } from "../../base/process/log.ts";

/**
 * Ends answers that go on (logs that are followed, changes) when the right to them ends: at once where this process made the
 * change, and within two seconds where another one did, or where time did (docs/guarantees.md, k). It goes by the clock and not by
 * what the stream does, since a reader that does not read, or a stream in which nothing happens, holds on to its right just as
 * long.
 */
export interface StreamGuard {
  /** @param isAllowed asked until the stream is closed; when it says no, the stream is cut off without a proper end */
  watch(stream: Readable, isAllowed: () => Promise<boolean>): void;
  /** Rights may have changed. */
  checkNow(): void;
  stop(): void;
}

/** Between two looks. Together with `streamFreshMs` it stays below the two seconds that are promised. */
export const streamCheckMs = 1400;
/** How old what is remembered of a caller may be at a look. */
export const streamFreshMs = 400;

export function createStreamGuard(log: Log): StreamGuard {
  const watched = new Map<Readable, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | undefined;

  async function check(stream: Readable, isAllowed: () => Promise<boolean>): Promise<void> {
    try {
      if (!(await isAllowed())) stream.destroy();
    } catch (err) {
      // Whether the right is still there can't be said (the database is away): better no answer than one without a right.
      log.warn({ err }, "a stream was closed because its permission could not be checked");
      stream.destroy();
    }
  }

  function checkNow(): void {
    for (const [stream, isAllowed] of watched) void check(stream, isAllowed);
  }

  function rest(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(stream, isAllowed) {
      if (stream.destroyed) return;
      watched.set(stream, isAllowed);
      timer ??= setInterval(checkNow, streamCheckMs).unref();
      stream.once("close", () => {
        watched.delete(stream);
        if (watched.size === 0) rest();
      });
    },
    checkNow,
    stop: rest,
  };
}

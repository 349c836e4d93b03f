import type { EventEmitter } from "node:events";

/** Resolves when a stream that refused more takes it again, or is closed. Leaves no listener behind. */
export function waitForDrain(stream: EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

import type { LogStore } from "./log-store.ts";

/** A line after a pause is read at once; of those that come one behind the other, all of so long together. */
const gatherMs = 1_000;
/** Where the waiting is cut off, or nobody looks, it is looked this often instead. */
const cutMs = 4_000;
const hiddenMs = 15_000;

/**
 * Reads a log on while it grows and somebody looks: the service holds a request until there is a next line, so that nothing is asked
 * while nothing is written. In a tab that nobody sees no connection is held, since browsers open few to one host; it looks now and then.
 * @param wait until the log has a line of that number, from 1, or is over
 * @returns what ends it
 */
export function followLog(book: LogStore, wait: (line: number, signal: AbortSignal) => Promise<void>): () => void {
  const left = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = new AbortController();
  let lookedAt = 0;
  const again = (inMs: number) => {
    clearTimeout(timer);
    if (!left.signal.aborted) timer = setTimeout(() => void look(), inMs);
  };
  const look = async () => {
    lookedAt = Date.now();
    await book.readOn();
    if (left.signal.aborted || book.isOver) return;
    if (document.hidden) return again(hiddenMs);
    if (book.error !== undefined) return again(cutMs);
    waiting = new AbortController();
    const { signal } = waiting;
    await wait(book.count + 1, signal).then(
      () => again(Math.max(0, lookedAt + gatherMs - Date.now())),
      () => !signal.aborted && again(cutMs),
    );
  };
  const followTab = () => {
    waiting.abort();
    if (!book.isOver) again(document.hidden ? hiddenMs : 0);
  };
  document.addEventListener("visibilitychange", followTab);
  void look();
  return () => {
    document.removeEventListener("visibilitychange", followTab);
    left.abort();
    waiting.abort();
    clearTimeout(timer);
  };
}

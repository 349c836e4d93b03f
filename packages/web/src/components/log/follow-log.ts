import type { LogLine } from "./log-source.ts";
import type { LogStore } from "./log-store.ts";

/** Lines that come within so long are shown together. */
const gatherMs = 100;
/** Where the stream is cut off, or nobody looks, it is looked this often instead. */
const cutMs = 4_000;
const hiddenMs = 15_000;
/** A stream that ended is not begun again sooner: the task run may be over in a moment. */
const restMs = 1_000;
/** So long without a line, it is looked whether something on the way holds lines back. */
const silentMs = 15_000;
/** More lines than these within `restMs` nobody reads: the end of the log is shown, and the stream begins again there. */
const mostLines = 5_000;

type Stream = (line: number, signal: AbortSignal, take: (lines: LogLine[]) => void) => Promise<void>;

/**
 * Reads a log on while it grows and somebody looks, by one request that stays open, so that nothing is asked again and again. In a tab
 * that nobody sees no connection is held, since browsers open few to one host; it looks now and then. Where a proxy gathers answers,
 * lines would not come before the end; a look every few seconds takes the place of the stream then.
 * @param stream gives the lines from that number on, from 1, and ends when the log is over
 * @returns what ends it
 */
export function followLog(book: LogStore, stream: Stream): () => void {
  const left = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let open = new AbortController();
  let isHeldBack = false;
  const again = (inMs: number) => {
    clearTimeout(timer);
    if (!left.signal.aborted) timer = setTimeout(() => void look(), inMs);
  };
  const look = async () => {
    await book.readOn();
    if (left.signal.aborted || book.isOver) return;
    if (document.hidden) return again(hiddenMs);
    if (book.error !== undefined || isHeldBack) return again(cutMs);
    open = new AbortController();
    const begunAt = Date.now();
    const ended = await readStream(book, stream, open);
    isHeldBack = ended === "held back";
    if (ended === "too many" || isHeldBack) again(0);
    else if (ended === "over") again(Math.max(0, begunAt + restMs - Date.now()));
    else if (!open.signal.aborted) again(cutMs);
  };
  const followTab = () => {
    open.abort();
    if (!book.isOver) again(document.hidden ? hiddenMs : 0);
  };
  document.addEventListener("visibilitychange", followTab);
  void look();
  return () => {
    document.removeEventListener("visibilitychange", followTab);
    left.abort();
    open.abort();
    clearTimeout(timer);
  };
}

/** Puts the lines of a stream into the book, those of a moment together. */
async function readStream(book: LogStore, stream: Stream, open: AbortController): Promise<"over" | "cut" | "too many" | "held back"> {
  const first = book.count;
  let [read, shown, since, countThen] = [first, first, Date.now(), first];
  let waiting: LogLine[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let why: "too many" | "held back" | undefined;
  const giveUp = (reason: typeof why) => {
    why = reason;
    open.abort();
  };
  const put = () => {
    gathering = undefined;
    if (waiting.length > 0) book.append(shown, waiting);
    shown = read;
    waiting = [];
  };
  const take = (lines: LogLine[]) => {
    waiting.push(...lines);
    read += lines.length;
    if (Date.now() - since > restMs) [since, countThen] = [Date.now(), read - lines.length];
    if (read - countThen > mostLines) giveUp("too many");
    gathering ??= setTimeout(put, gatherMs);
  };
  // A line that another request has, and the stream still does not, lies somewhere on the way.
  const doubt = setTimeout(async () => {
    if (read > first) return;
    await book.readOn();
    const known = book.count;
    checking = setTimeout(() => read === first && known > first && giveUp("held back"), restMs);
  }, silentMs);
  let checking: ReturnType<typeof setTimeout> | undefined;
  const ended = await stream(first + 1, open.signal, take).then(
    () => "over" as const,
    () => "cut" as const,
  );
  for (const timer of [gathering, doubt, checking]) clearTimeout(timer);
  put();
  return why ?? ended;
}

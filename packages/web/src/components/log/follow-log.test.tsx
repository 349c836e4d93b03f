import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followLog } from "./follow-log.ts";
import type { LogLine, LogSource } from "./log-source.ts";
import { LogStore } from "./log-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (number: number): LogLine => ({ time: "", step: "main", text: `line ${number}` });
const linesFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => line(first + index));

/** A log that grows when the test says so; `asked` says what was asked of the service. */
function growing() {
  const log = { lines: 0, isOver: false, asked: [] as string[], grow, end: () => {}, cut: () => {}, isStreamHeld: false };
  let give: ((lines: LogLine[]) => void) | undefined;
  function grow(count: number) {
    if (!log.isStreamHeld) give?.(linesFrom(log.lines + 1, count));
    log.lines += count;
  }
  const answer = (name: string, from: number, most = 1_000) => {
    log.asked.push(name);
    return {
      lines: linesFrom(from + 1, Math.min(most, log.lines - from)),
      next: log.isOver ? null : String(log.lines),
      firstLine: from + 1,
    };
  };
  const source: LogSource = {
    tail: async (most) => answer("tail", Math.max(0, log.lines - most)),
    after: async (next) => answer(`after ${next}`, Number(next)),
    from: async (from, most) => answer(`from ${from}`, from - 1, most),
    search: async () => ({ ranges: [], lines: 0, steps: [], searchedTo: 0 }),
  };
  const stream = (from: number, signal: AbortSignal, take: (lines: LogLine[]) => void) => {
    log.asked.push(`stream ${from}`);
    give = take;
    return new Promise<void>((resolve, reject) => {
      log.end = resolve;
      log.cut = () => reject(new Error("cut"));
      signal.addEventListener("abort", () => reject(new Error("given up")));
    });
  };
  return { log, book: new LogStore(source), stream };
}

const textsOf = (book: LogStore) => Array.from({ length: book.count }, (_, index) => book.line(index)?.text);

test("a log is followed with one request for any number of lines", async () => {
  const { log, book, stream } = growing();
  const leave = followLog(book, stream);
  await vi.advanceTimersByTimeAsync(0);
  for (let times = 0; times < 300; times++) {
    log.grow(1);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(log.asked).toEqual(["tail", "stream 1"]);
  await vi.advanceTimersByTimeAsync(100);
  expect(textsOf(book)).toEqual(linesFrom(1, 300).map(({ text }) => text));
  log.isOver = true;
  log.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log.asked.slice(2)).toEqual(["from 301"]);
  expect(book.isOver).toBe(true);
  leave();
});

test("a cut stream is resumed at the next line, and leaving the page stops the requests", async () => {
  const { log, book, stream } = growing();
  const leave = followLog(book, stream);
  await vi.advanceTimersByTimeAsync(0);
  log.grow(2);
  log.cut();
  await vi.advanceTimersByTimeAsync(3_900);
  log.grow(1);
  expect(log.asked).toEqual(["tail", "stream 1"]);
  await vi.advanceTimersByTimeAsync(200);
  expect(log.asked.slice(2)).toEqual(["from 3", "after 3", "stream 4"]);
  expect(textsOf(book)).toEqual(["line 1", "line 2", "line 3"]);
  leave();
  log.cut();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log.asked).toHaveLength(5);
});

test("of very many lines the end is shown", async () => {
  const { log, book, stream } = growing();
  const leave = followLog(book, stream);
  await vi.advanceTimersByTimeAsync(0);
  log.grow(5_001);
  log.grow(20_000);
  await vi.advanceTimersByTimeAsync(200);
  expect(log.asked.at(-1)).toBe("stream 25002");
  expect([book.count, book.line(25_000)?.text]).toEqual([25_001, "line 25001"]);
  leave();
});

test("if a proxy buffers the stream, lines are polled every few seconds", async () => {
  const { log, book, stream } = growing();
  const leave = followLog(book, stream);
  await vi.advanceTimersByTimeAsync(0);
  log.isStreamHeld = true;
  log.grow(1);
  await vi.advanceTimersByTimeAsync(20_000);
  log.grow(1);
  await vi.advanceTimersByTimeAsync(4_100);
  expect(textsOf(book)).toEqual(["line 1", "line 2"]);
  expect(log.asked.filter((each) => each.startsWith("stream"))).toHaveLength(1);
  leave();
});

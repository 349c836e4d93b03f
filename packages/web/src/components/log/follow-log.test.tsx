import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followLog } from "./follow-log.ts";
import type { LogSource } from "./log-source.ts";
import { LogStore } from "./log-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A log that grows when the test says so; `asked` says what was asked of the service. */
function growing() {
  const log = { lines: 0, isOver: false, asked: [] as string[], wake: () => {}, cut: () => {} };
  const answer = (name: string, from: number) => {
    log.asked.push(name);
    const lines = Array.from({ length: log.lines - from }, () => ({ time: "", step: "main", text: "x" }));
    return { lines, next: log.isOver ? null : String(log.lines), firstLine: from + 1 };
  };
  const source: LogSource = {
    tail: async () => answer("tail", 0),
    after: async (next) => answer(`after ${next}`, Number(next)),
    from: async (line) => answer(`from ${line}`, line - 1),
    search: async () => ({ ranges: [], lines: 0, steps: [], searchedTo: 0 }),
  };
  const wait = (line: number) => {
    log.asked.push(`wait ${line}`);
    return new Promise<void>((resolve, reject) => {
      log.wake = resolve;
      log.cut = () => reject(new Error("cut"));
    });
  };
  return { log, book: new LogStore(source), wait };
}

test("nothing is asked while nothing is written; a line is read when the service says that it is there", async () => {
  const { log, book, wait } = growing();
  const leave = followLog(book, wait);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log.asked).toEqual(["tail", "wait 1"]);
  log.lines = 2;
  log.wake();
  await vi.advanceTimersByTimeAsync(1);
  // What it has not seen the end of it asks for once more: a page holds so many characters, whatever its lines.
  expect(log.asked.slice(2)).toEqual(["after 0", "after 2", "wait 3"]);
  expect(book.count).toBe(2);
  log.isOver = true;
  log.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log.asked.slice(5)).toEqual(["after 2"]);
  leave();
});

test("lines that come one behind the other are read once a second", async () => {
  const { log, book, wait } = growing();
  const leave = followLog(book, wait);
  await vi.advanceTimersByTimeAsync(0);
  for (let times = 0; times < 30; times++) {
    log.lines += 1;
    log.wake();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(log.asked.filter((one) => one.startsWith("wait")).length).toBeLessThanOrEqual(5);
  expect(book.count).toBeGreaterThan(20);
  leave();
});

test("where the waiting is cut off it looks now and then, and who leaves asks no more", async () => {
  const { log, book, wait } = growing();
  const leave = followLog(book, wait);
  await vi.advanceTimersByTimeAsync(0);
  log.cut();
  await vi.advanceTimersByTimeAsync(3_900);
  expect(log.asked).toEqual(["tail", "wait 1"]);
  await vi.advanceTimersByTimeAsync(200);
  expect(log.asked).toEqual(["tail", "wait 1", "after 0", "wait 1"]);
  leave();
  log.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log.asked).toHaveLength(4);
});

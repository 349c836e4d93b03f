import { describe, expect, test } from "vitest";
import { LogBook } from "./log-book.ts";
import type { LogLine, ReadLog } from "./log-page.ts";
import { visibleLines } from "./visible-lines.ts";

const line = (text: string, more: Partial<LogLine> = {}): LogLine => ({
  time: "2026-01-02T03:04:05.678Z",
  step: "main",
  stream: "stdout",
  text,
  ...more,
});

/** A log that can grow; `asked` are the places from which it was read. */
function source(lines: LogLine[]) {
  const log = { lines, isOver: false, asked: [] as string[], failures: 0 };
  const read: ReadLog = async (after, limit) => {
    log.asked.push(after ?? "begin");
    if (log.failures-- > 0) throw new Error("cut");
    const from = Number(after ?? 0);
    const page = log.lines.slice(from, from + limit);
    const end = from + page.length;
    return { lines: page, ...(!(log.isOver && end === log.lines.length) && { next: String(end) }) };
  };
  return { log, book: new LogBook(read) };
}

const many = (count: number, length = 10) => Array.from({ length: count }, (_, index) => line(`${index} ${"x".repeat(length)}`));

describe("a log that grows", () => {
  test("has each line once, however it was cut meanwhile", async () => {
    const { log, book } = source(many(3));
    await book.readOn();
    log.lines.push(line("3"));
    log.failures = 1;
    await book.readOn();
    expect(book.error).toBeDefined();
    await book.readOn();
    log.lines.push(line("4"), line("5"));
    log.isOver = true;
    await book.readOn();
    expect(Array.from({ length: book.count }, (_, index) => book.line(index)?.text.split(" ")[0])).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(book).toMatchObject({ count: 6, isOver: true, isCaughtUp: true, error: undefined });
  });

  test("is read by several askers at once only once", async () => {
    const { log, book } = source(many(3));
    log.isOver = true;
    await Promise.all([book.readOn(), book.readOn()]);
    expect(log.asked).toEqual(["begin"]);
  });

  test("is not read again once it is over", async () => {
    const { log, book } = source(many(3));
    log.isOver = true;
    await book.readOn();
    await book.readAll();
    expect(log.asked).toEqual(["begin"]);
    expect(book.count).toBe(3);
  });
});

describe("a log that is long", () => {
  test("is read so far by itself, and to its end when somebody wants that", async () => {
    const { log, book } = source(many(40_000, 1_000));
    log.isOver = true;
    await book.readOn();
    expect(book.isHeldBack).toBe(true);
    expect(book.count).toBeLessThan(40_000);
    await book.readAll();
    expect(book).toMatchObject({ count: 40_000, isHeldBack: false, isOver: true });
  });

  test("drops pages that nobody looks at, and brings them back for who does", async () => {
    const { log, book } = source(many(40_000, 1_000));
    log.isOver = true;
    await book.readAll();
    expect(book.line(0)).toBeUndefined();
    book.want(0, 40);
    await expect.poll(() => book.line(7)?.text).toMatch(/^7 x/);
    const seen: number[] = [];
    await book.visit(0, (one, index) => one.text.startsWith(`${index} `) && seen.push(index), new AbortController().signal);
    expect(seen.length).toBe(40_000);
  });
});

test("marks errors, standard error and steps", async () => {
  const { book } = source([
    line("0 errors"),
    line("warn", { stream: "stderr", step: "lint" }),
    line("TypeError: no", { step: "lint" }),
    line("--- attempt 2; attempt 1 ended as failed ---", { stream: "system", step: "" }),
  ]);
  await book.readOn();
  expect(book).toMatchObject({ firstError: 2, firstStderr: 1, steps: ["main", "lint", ""] });
  const lint = visibleLines(book, "lint");
  expect([lint.count, lint.lineAt(1), lint.placeOf(2), lint.shows(0), lint.shows(2)]).toEqual([2, 2, 1, false, true]);
});

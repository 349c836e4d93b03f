import { describe, expect, test } from "vitest";
import { visibleLines } from "./lines/line-ranges.ts";
import type { LogAnswer, LogLine, LogSource } from "./log-source.ts";
import { LogStore } from "./log-store.ts";

const line = (text: string, more: Partial<LogLine> = {}): LogLine => ({
  time: "2026-01-02T03:04:05.678Z",
  step: "main",
  text,
  ...more,
});
const many = (count: number, length = 10, from = 0) =>
  Array.from({ length: count }, (_, index) => line(`${from + index} ${"x".repeat(length)}`));

/** A log that can grow; `asked` records what was read. */
function source(lines: LogLine[], { isOver = false } = {}) {
  const log = { lines, isOver, asked: [] as string[], failures: 0, found: 1000 };
  let held = Promise.resolve();
  /** Answers are made, but arrive only after the returned function was called. */
  const hold = () => {
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  const answer = (name: string, from: number, limit: number): LogAnswer => {
    log.asked.push(name);
    if (log.failures-- > 0) throw new Error("cut");
    const page = log.lines.slice(from, from + limit);
    const end = from + page.length;
    return { lines: page, next: log.isOver && end === log.lines.length ? null : String(end) };
  };
  const reads: LogSource = {
    tail: async (count) => {
      const from = Math.max(0, log.lines.length - count);
      return { ...answer(`tail ${count}`, from, count), firstLine: from + 1 };
    },
    after: async (next, limit) => {
      const page = answer(`after ${next}`, Number(next), limit);
      await held;
      return page;
    },
    from: async (first, limit) => answer(`from ${first}`, first - 1, limit),
    search: async ({ text = "" }, fromLine) => {
      log.asked.push(`search ${text} from ${fromLine}`);
      const searchedTo = Math.min(log.lines.length, fromLine - 1 + log.found);
      const ranges = log.lines
        .map(({ text: said }, index) => ({ first: index + 1, last: index + 1, fits: said.includes(text) }))
        .slice(fromLine - 1, searchedTo)
        .filter(({ fits }) => fits)
        .map(({ first, last }) => ({ first, last }));
      return { ranges, lines: ranges.length, steps: ["main"], searchedTo, ...(searchedTo < log.lines.length && { next: searchedTo + 1 }) };
    },
  };
  return { log, book: new LogStore(reads), hold };
}

const numbers = (book: LogStore, first: number, end: number) =>
  Array.from({ length: end - first }, (_, index) => Number(book.line(first + index)?.text.split(" ")[0]));

describe("a log that grows", () => {
  test("has each line once, however it was truncated in the meantime", async () => {
    const { log, book } = source(many(3));
    await book.readOn();
    log.lines.push(...many(1, 1, 3));
    log.failures = 1;
    await book.readOn();
    expect(book.error).toBeDefined();
    await book.readOn();
    log.lines.push(...many(2, 1, 4));
    log.isOver = true;
    await book.readOn();
    expect(numbers(book, 0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(book).toMatchObject({ count: 6, isOver: true, isCaughtUp: true, error: undefined });
  });

  test("has each line once when a stream brings lines before the answer to an earlier request", async () => {
    const { log, book, hold } = source([]);
    await book.readOn();
    for (const _ of ["at the beginning", "later"]) {
      const known = log.lines.length;
      const release = hold();
      log.lines.push(...many(1, 1, known));
      const reading = book.readOn();
      // The last line that the stream brought before it was given up.
      book.append(known, many(1, 1, known));
      release();
      await reading;
      log.lines.push(...many(1, 1, known + 1));
      book.append(known + 1, many(1, 1, known + 1));
      await book.readOn();
    }
    expect(numbers(book, 0, book.count)).toEqual([0, 1, 2, 3]);
  });

  test("is read once for concurrent callers, and not again after its end", async () => {
    const { log, book } = source(many(3), { isOver: true });
    await Promise.all([book.readOn(), book.readOn()]);
    await book.readOn();
    expect(log.asked).toEqual(["tail 1000"]);
  });

  test("that grows faster than it is read continues at its end", async () => {
    const { log, book } = source(many(1_000));
    await book.readOn();
    log.lines.push(...many(50_000, 10, 1_000));
    await book.readOn();
    expect(book.count).toBe(51_000);
    expect(numbers(book, 50_990, 51_000)[9]).toBe(50_999);
    expect(book.line(20_000)).toBeUndefined();
    expect(log.asked.length).toBeLessThan(6);
  });
});

describe("a log that is long", () => {
  test("shows its end after one request, and any other place after one more", async () => {
    const { log, book } = source(many(1_000_000), { isOver: true });
    await book.readOn();
    expect(book).toMatchObject({ count: 1_000_000, isOver: true, isShort: false });
    expect(book.line(999_999)?.text).toMatch(/^999999 /);
    expect(log.asked).toEqual(["tail 1000"]);
    book.want(500_100, 500_140);
    await expect.poll(() => book.line(500_107)?.text).toMatch(/^500107 /);
    expect(log.asked).toEqual(["tail 1000", "from 500001"]);
  });

  test("holds only so much, and brings back what it dropped", async () => {
    const { log, book } = source(many(100_000, 1_000), { isOver: true });
    await book.readOn();
    for (let first = 0; first < 40_000; first += 1_000) {
      book.want(first, first + 40);
      await expect.poll(() => book.line(first)).toBeDefined();
    }
    expect(book.line(0)).toBeUndefined();
    expect(Array.from({ length: 100 }, (_, block) => book.line(block * 1_000)).filter(Boolean).length).toBeLessThan(13);
    const before = log.asked.length;
    book.want(0, 40);
    await expect.poll(() => book.line(7)?.text).toMatch(/^7 x/);
    expect(log.asked.length).toBe(before + 1);
  });

  test("is not read where the user only scrolled past", async () => {
    const { log, book } = source(many(1_000_000), { isOver: true });
    await book.readOn();
    for (let first = 0; first < 900_000; first += 10_000) book.want(first, first + 40);
    await expect.poll(() => book.line(890_000)).toBeDefined();
    expect(log.asked.length).toBeLessThan(6);
  });

  test("shows an error, and reads it on retry", async () => {
    const { log, book } = source(many(5_000), { isOver: true });
    await book.readOn();
    log.failures = 1;
    book.want(0, 10);
    await expect.poll(() => book.error).toBeDefined();
    await book.tryAgain();
    await expect.poll(() => book.line(0)).toBeDefined();
    expect(book.error).toBeUndefined();
  });
});

describe("a search", () => {
  test("goes through the whole log in parts, and continues when it grows", async () => {
    const { log, book } = source(many(2_500), { isOver: true });
    await book.readOn();
    const finder = book.finder({ text: "99 x" });
    const release = finder.claim(book.count);
    await expect.poll(() => finder.ranges.count).toBe(25);
    expect(log.asked.slice(1)).toEqual(["search 99 x from 1", "search 99 x from 1001", "search 99 x from 2001"]);
    log.lines.push(line("99 x again"));
    finder.claim(2_501);
    await expect.poll(() => finder.ranges.has(2_500)).toBe(true);
    expect(visibleLines(2_501, finder.ranges)).toMatchObject({ count: 26 });
    release();
  });

  test("stops at the nearest match, and wraps around", async () => {
    const { log, book } = source(many(5_000), { isOver: true });
    await book.readOn();
    const finder = book.finder({ text: "50 x" });
    expect(await finder.nearest(0, 1, 5_000)).toBe(50);
    await expect.poll(() => finder.isSearching).toBe(false);
    expect(log.asked.length).toBeLessThan(5);
    expect(await finder.nearest(1_100, -1, 5_000)).toBe(1_050);
    expect(await finder.nearest(4_950, 1, 5_000)).toBe(50);
    expect(await finder.nearest(10, -1, 5_000)).toBe(4_950);
    expect(await book.finder({ text: "none" }).nearest(10, 1, 5_000)).toBeUndefined();
  });

  test("that starts before the log is loaded waits for it, and begins at the visible lines", async () => {
    const { book } = source(many(200), { isOver: true });
    const opening = book.readOn();
    expect(await book.nearest({ text: "50 x" }, () => book.count, -1)).toBe(150);
    await opening;
  });
});

describe("colours that a line doesn't reset", () => {
  const red = "\u001b[31m";
  const of = async (lines: LogLine[]) => {
    const { book } = source(lines, { isOver: true });
    await book.readOn();
    return { book, pens: () => lines.map((_, index) => book.pen(index)) };
  };

  test("continue up to a reset, and end where another step starts", async () => {
    const texts = [line("a"), line(`${red}b`), line("c"), line("\u001b[0md"), line(`${red}e`), line("f", { step: "next" })];
    expect((await of(texts)).pens()).toEqual(["", "", "31", "31", "", ""]);
  });

  test("continue across blocks, and are corrected when earlier lines are loaded", async () => {
    const { book } = await of([line(`${red}begin`), ...many(4_999)]);
    const pensAt = (...indices: number[]) => indices.map((index) => book.pen(index));
    expect(pensAt(0, 1, 4_500)).toEqual(["", "", ""]);
    for (const first of [3_000, 2_000, 1_000]) {
      book.want(first, first + 999);
      await expect.poll(() => book.line(first)).toBeDefined();
      expect(pensAt(first, 4_500)).toEqual(["", ""]);
    }
    book.want(0, 999);
    await expect.poll(() => book.line(0)).toBeDefined();
    expect(pensAt(0, 1, 999, 1_000, 3_500, 4_999)).toEqual(["", "31", "31", "31", "31", "31"]);
  });

  test("end after a gap of lines that are not loaded", async () => {
    const { book } = await of([line(`${red}begin`), ...many(4_999)]);
    book.want(0, 0);
    await expect.poll(() => book.line(0)).toBeDefined();
    expect([book.pen(999), book.pen(4_500)]).toEqual(["31", ""]);
  });
});

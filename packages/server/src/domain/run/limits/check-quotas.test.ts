import { expect, test } from "vitest";
import { MonthlyCapacity, WaitingCapacity } from "./check-quotas.ts";

const now = new Date("2026-03-31T23:59:59Z");
const nextMonth = new Date("2026-04-01T00:00:00Z");

test("a count grants a share of the rest, and no more", () => {
  const rooms = new MonthlyCapacity();
  expect(rooms.take("a", 1000, now)).toBe(false);
  expect(rooms.note("a", 1000, 200, now)).toBe(true);
  for (let taken = 0; taken < 50; taken++) expect(rooms.take("a", 1000, now)).toBe(true);
  expect(rooms.take("a", 1000, now)).toBe(false);
  expect(rooms.take("b", 1000, now)).toBe(false);
});

test("it counts for its month and its quota only, and not at all where little is left", () => {
  const rooms = new MonthlyCapacity();
  rooms.note("a", 1000, 0, now);
  expect([rooms.take("a", 1000, nextMonth), rooms.take("a", 999, now), rooms.take("a", 1000, now)]).toEqual([false, false, true]);
  expect(rooms.note("a", 1000, 970, now)).toBe(false);
  expect(rooms.take("a", 1000, now)).toBe(false);
});

test("an unused share expires before others could have used up the rest", () => {
  const rooms = new MonthlyCapacity();
  rooms.note("a", 10_000_000, 0, now);
  rooms.note("b", 1600, 0, now);
  const later = new Date(now.getTime() + 500);
  expect([rooms.take("a", 10_000_000, later), rooms.take("b", 1600, later)]).toEqual([true, false]);
});

test("processes that submit one after the other stay within the quota together", () => {
  const max = 1600;
  const early = now.getTime() - 5000;
  const [first, second] = [new MonthlyCapacity(), new MonthlyCapacity()];
  let used = 0;
  /** As `checkMonthlyQuota` does. */
  const submit = (rooms: MonthlyCapacity, ms: number) => {
    const time = new Date(early + ms);
    if (!rooms.take("a", max, time)) {
      if (used >= max) return;
      rooms.note("a", max, used, time);
    }
    used += 1;
  };
  first.note("a", max, used, new Date(early));
  for (let ms = 0; ms < 2000; ms++) submit(second, ms);
  for (let ms = 2000; ms < 2200; ms++) submit(first, ms);
  expect(used).toBe(max);
});

const at = (ms: number) => new Date(ms);

test("a count grants a share of the remaining capacity", () => {
  const rooms = new WaitingCapacity();
  expect(rooms.take("a", 1600, at(0))).toBe("unknown");
  rooms.note("a", 1600, 0, at(0));
  for (let taken = 0; taken < 100; taken += 1) expect(rooms.take("a", 1600, at(500))).toBe("free");
  expect(rooms.take("a", 1600, at(1000)), "then it is counted again").toBe("unknown");
});

test("a team without capacity is counted once a second, however many submissions are refused", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 10, 10, at(0));
  for (let ms = 0; ms < 1000; ms += 10) expect(rooms.take("a", 10, at(ms))).toBe(10);
  expect(rooms.take("a", 10, at(1000))).toBe("unknown");
});

test("the last places are counted one by one", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 2, 1, at(0));
  expect([rooms.take("a", 2, at(0)), rooms.take("a", 2, at(0))]).toEqual(["free", "unknown"]);
});

test("a changed limit is counted at once, and teams don't share capacity", () => {
  const rooms = new WaitingCapacity();
  rooms.note("a", 10, 0, at(0));
  expect(rooms.take("a", 20, at(0))).toBe("unknown");
  expect(rooms.take("b", 10, at(0))).toBe("unknown");
});

import { expect, test } from "vitest";
import { MonthlyCapacity } from "./monthly-capacity.ts";

const now = new Date("2026-03-31T23:59:59Z");
const nextMonth = new Date("2026-04-01T00:00:00Z");

test("a count gives a share of what is left, and no more", () => {
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

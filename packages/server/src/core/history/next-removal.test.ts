import { expect, test } from "vitest";
import { nextRemovalOf } from "./next-removal.ts";

const oldest = new Date("2026-01-10T12:00:00Z");

test.each([
  ["runs", 180, "2026-07-31T00:00:00.000Z"],
  ["logs", 30, "2026-03-03T00:00:00.000Z"],
  ["audit", 400, "2027-03-08T00:00:00.000Z"],
  ["deliveries", 30, "2026-02-09T12:00:00.000Z"],
] as const)("the oldest %s go after %i days", (kind, days, at) => {
  expect(nextRemovalOf(kind, days, oldest)?.toISOString()).toBe(at);
});

test("nothing is removed of a kind that is kept forever, or that has no record", () => {
  expect(nextRemovalOf("runs", 0, oldest)).toBeUndefined();
  expect(nextRemovalOf("runs", 180, null)).toBeUndefined();
});

test("at the end of a year the month ends in the next one", () => {
  expect(nextRemovalOf("logs", 1, new Date("2026-12-31T23:59:59Z"))?.toISOString()).toBe("2027-01-02T00:00:00.000Z");
});

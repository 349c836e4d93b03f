import { expect, test } from "vitest";
import { isOutage } from "./database-error.ts";

test.each([
  "08006",
  "25006",
  "40P01",
  "53100",
  "53300",
  "55P03",
  "57014",
  "57P01",
  "58030",
  "XX000",
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ENOENT",
  "EPIPE",
])("%s is an outage: the same may succeed later", (code) => {
  expect(isOutage(Object.assign(new Error("x"), { code }))).toBe(true);
});

test.each(["22001", "22P05", "23505", "42703", "54000", "54001", "P0001", "ERR_STRING_TOO_LONG", "MAX_PARAMETERS_EXCEEDED"])(
  "%s is not: it would always fail again",
  (code) => {
    expect(isOutage(Object.assign(new Error("x"), { code }))).toBe(false);
  },
);

test("an error without a code is a bug, whatever was thrown", () => {
  for (const error of [new RangeError("Invalid string length"), "text", null, undefined, { code: 5 }]) expect(isOutage(error)).toBe(false);
});

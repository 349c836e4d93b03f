import fc from "fast-check";
import { expect, test } from "vitest";
import { deliveryDelayMs } from "./delivery-delay.ts";

test("the pause doubles from 5 s up to an hour, and half of it is left to chance", () => {
  expect([1, 2, 3, 10, 11, 500].map((attempt) => deliveryDelayMs(attempt, 1))).toEqual([5e3, 1e4, 2e4, 2_560e3, 3_600e3, 3_600e3]);
  expect(deliveryDelayMs(1, 0)).toBe(2_500);
});

test("a longer Retry-After is kept", () => {
  expect(deliveryDelayMs(1, 0.5, 60_000)).toBe(60_000);
  expect(deliveryDelayMs(20, 1, 60_000)).toBe(3_600_000);
});

test("a delivery that fails all day is tried between 24 and 60 times", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 100, maxLength: 100 }), (chances) => {
      let at = 0;
      let attempts = 1;
      for (; at <= 24 * 3600_000; attempts++) at += deliveryDelayMs(attempts, chances[attempts % 100] ?? 0);
      expect(attempts).toBeGreaterThanOrEqual(24);
      expect(attempts).toBeLessThanOrEqual(60);
    }),
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

const policy = { backoffMs: 1000, factor: 2, maxBackoffMs: 300_000 };

describe("retryDelayMs", () => {
  it("grows by the factor, within a quarter of the nominal delay", () => {
    for (const [retriesUsed, nominal] of [1000, 2000, 4000, 8000, 16_000].entries()) {
      const delay = retryDelayMs(policy, retriesUsed, "019a0000-0000-7000-8000-000000000001");
      expect(delay).toBeGreaterThanOrEqual(nominal * 0.75);
      expect(delay).toBeLessThanOrEqual(nominal * 1.25);
    }
  });

  it("is the same for the same task run and retry, and differs between task runs", () => {
    expect(retryDelayMs(policy, 3, "a")).toBe(retryDelayMs(policy, 3, "a"));
    const delays = Array.from({ length: 100 }, (_, index) => retryDelayMs(policy, 0, `run-${index}`));
    expect(new Set(delays).size).toBeGreaterThan(80);
  });

  it("spreads evenly over its range", () => {
    const delays = Array.from({ length: 4000 }, (_, index) => retryDelayMs(policy, 0, `id-${index}`));
    const quarters = [0, 0, 0, 0];
    for (const delay of delays) quarters[Math.min(3, Math.floor((delay - 750) / 125))]! += 1;
    for (const count of quarters) expect(count).toBeGreaterThan(850);
  });

  it("is a whole number between 0 and the longest delay for any policy", () => {
    fc.assert(
      fc.property(
        fc.record({
          backoffMs: fc.nat(86_400_000),
          factor: fc.double({ min: 1, max: 100, noNaN: true }),
          maxBackoffMs: fc.nat(86_400_000),
        }),
        fc.nat(100),
        fc.string(),
        (backoff, retriesUsed, id) => {
          const delay = retryDelayMs(backoff, retriesUsed, id);
          expect(Number.isInteger(delay)).toBe(true);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(backoff.maxBackoffMs);
        },
      ),
    );
  });

  it("is zero when the policy has no pause", () => {
    expect(retryDelayMs({ backoffMs: 0, factor: 1, maxBackoffMs: 1000 }, 50, "x")).toBe(0);
  });
});

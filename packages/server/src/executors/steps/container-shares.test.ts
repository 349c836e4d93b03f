import fc from "fast-check";
import { expect, test } from "vitest";
import { containerShares } from "./container-shares.ts";

const limits = { memoryBytes: 1000, processes: 90, outputBytes: 100, resultBytes: 7 };
const sidecar = (memoryBytes?: number) => ({ name: "s", ...(memoryBytes !== undefined && { resources: { limits: { memoryBytes } } }) });
const memory = (...sidecars: ReturnType<typeof sidecar>[]) => {
  const shares = containerShares({ limits, sidecars });
  return [shares.steps.memoryBytes, ...shares.sidecars.map(({ memoryBytes }) => memoryBytes)];
};

test("a sidecar gets what it requests, or an equal share; the steps get the rest", () => {
  expect(containerShares({ limits })).toEqual({ steps: limits, sidecars: [] });
  expect(memory(sidecar())).toEqual([500, 500]);
  expect(memory(sidecar(100))).toEqual([900, 100]);
  expect(memory(sidecar(900))).toEqual([500, 500]);
  expect(containerShares({ limits, sidecars: [sidecar()] }).steps).toMatchObject({ processes: 45, outputBytes: 50, resultBytes: 7 });
});

test("all of them together never have more than the task", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }), { maxLength: 10 }), (wanted) => {
      const [steps = 0, ...others] = memory(...wanted.map(sidecar));
      expect(others.reduce((sum, bytes) => sum + bytes, steps)).toBeLessThanOrEqual(1000);
      expect(steps).toBeGreaterThanOrEqual(Math.floor(1000 / (wanted.length + 1)));
    }),
  );
});

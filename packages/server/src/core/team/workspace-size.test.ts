import { expect, test } from "vitest";
import { workspaceBytes } from "./quota.ts";

test.each([
  [1, 2 ** 30],
  ["2", 2 ** 31],
  ["2Gi", 2 ** 31],
  [" 512 Mi ", 2 ** 29],
  ["0.5Gi", 2 ** 29],
  ["1Ti", 2 ** 40],
  ["0", undefined],
  ["-1", undefined],
  ["1GB", undefined],
  ["", undefined],
  [undefined, undefined],
  ["9".repeat(400), undefined],
])("a size of %s is %s bytes", (size, bytes) => {
  expect(workspaceBytes(size)).toBe(bytes);
});

import { expect, test } from "vitest";
import { parseQuantity } from "./step-resources.ts";

test.each<[unknown, number | undefined]>([
  ["512Mi", 512 * 2 ** 20],
  ["1Gi", 2 ** 30],
  ["1G", 1e9],
  ["1.5Gi", 1.5 * 2 ** 30],
  ["64k", 64_000],
  ["128974848", 128_974_848],
  ["129e6", 129_000_000],
  ["129E6", 129_000_000],
  ["100m", 1],
  [" 2 ", 2],
  [3, 3],
  [".5Ki", 512],
  ["2.", 2],
  ["0", undefined],
  ["-1", undefined],
  ["1E", undefined],
  ["9Ei", undefined],
  ["1mi", undefined],
  ["1KI", undefined],
  ["", undefined],
  ["much", undefined],
  ["1 Gi", undefined],
  ["1e999", undefined],
  [null, undefined],
  [{}, undefined],
])("%j is %j bytes", (value, bytes) => {
  expect(parseQuantity(value)).toBe(bytes);
});

test.each<[unknown, number | undefined]>([
  ["250m", 250],
  ["0.5", 500],
  ["0.1", 100],
  [0.3, 300],
  ["2", 2000],
  ["1", 1000],
  ["100u", 1],
  ["1n", 1],
])("%j processors are %j thousandths", (value, millis) => {
  expect(parseQuantity(value, 0.001)).toBe(millis);
});

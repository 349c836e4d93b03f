import { expect, test } from "vitest";
import { readTraceparent, writeTraceparent } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  // Future flags and versions.
  [`00-${traceId}-${spanId}-03`, true],
  [`01-${traceId}-${spanId}-01-what-comes-later`, true],
])("%s is read", (text, isSampled) => {
  expect(readTraceparent(text)).toEqual({ traceId, spanId, isSampled });
});

test.each([
  undefined,
  7,
  "",
  "00",
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01\n`,
  `01-${traceId}-${spanId}-01-${"x".repeat(300)}`,
  // Values that a header can't contain, or that would become a different header.
  `01-${traceId}-${spanId}-01-x\r\nx-injected: 1`,
  `01-${traceId}-${spanId}-01-\u001b[2J`,
  `01-${traceId}-${spanId}-01-\u4e2d`,
  `01-${traceId}-${spanId}-01-\n`,
  // The header, sent twice.
  `01-${traceId}-${spanId}-01, 01-${traceId}-${spanId}-01`,
])("%j is not", (value) => {
  expect(readTraceparent(value)).toBeUndefined();
});

test("what is written is read as it was", () => {
  const context = { traceId, spanId, isSampled: true };
  expect(readTraceparent(writeTraceparent(context))).toEqual(context);
});

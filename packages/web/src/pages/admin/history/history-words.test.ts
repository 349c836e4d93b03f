import { expect, test } from "vitest";
import { bytesText, daysText, removedParts } from "./history-words.ts";

test.each([
  [0, "Forever"],
  [1, "1 day"],
  [180, "180 days"],
  [36500, "36,500 days"],
])("%i days are %s", (days, text) => expect(daysText(days)).toBe(text));

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [25_000_000, "24 MiB"],
  [4.5 * 2 ** 40, "4.5 TiB"],
  [2 ** 60, "1048576 TiB"],
])("%d bytes are %s", (bytes, text) => expect(bytesText(bytes)).toBe(text));

test("the summary of removed records names each month once, and leaves out kinds without removed records", () => {
  const nothing = {
    beginDate: "",
    endDate: "",
    runs: 0,
    logChunks: 0,
    logObjects: 0,
    deliveries: 0,
    events: 0,
    auditRecords: 0,
    partitions: [],
  };
  expect(removedParts(nothing)).toEqual([]);
  const partitions = ["run_202602", "task_run_202602", "audit_202512"];
  expect(removedParts({ ...nothing, runs: 1, deliveries: 1200, partitions })).toEqual([
    "whole months: 2025-12, 2026-02",
    "1 run",
    "1,200 deliveries",
  ]);
});

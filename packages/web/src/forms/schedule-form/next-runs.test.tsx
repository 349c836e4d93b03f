import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { show } from "../../ui/show-component.tsx";
import { NextRuns } from "./next-runs.tsx";

afterEach(cleanup);

/** The days of the rows that are marked. */
function markedRows(times: string[]): string[] {
  show(<NextRuns times={times} timezone="Europe/Berlin" />);
  const marks = screen.queryAllByText("DST change");
  return marks.map((mark) => mark.closest("tr")?.querySelector("time")?.getAttribute("datetime") ?? "");
}

test("a time that a clock change has moved is marked, also as the first one", () => {
  // 02:30 is skipped on 28 March 2027, so it is 03:00 in summer time.
  expect(markedRows(["2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z"])).toEqual(["2027-03-28T01:00:00Z"]);
});

test("the first time after a clock change is marked, of a schedule that runs each day or each week", () => {
  expect(markedRows(["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])).toEqual(["2026-10-26T01:30:00Z"]);
  cleanup();
  expect(markedRows(["2026-10-22T00:30:00Z", "2026-10-29T01:30:00Z"])).toEqual(["2026-10-29T01:30:00Z"]);
});

test("clock changes that lie months before a time are not its own", () => {
  expect(markedRows(["2029-03-29T00:30:00Z", "2030-03-28T01:30:00Z", "2030-07-01T00:30:00Z"])).toEqual([]);
});

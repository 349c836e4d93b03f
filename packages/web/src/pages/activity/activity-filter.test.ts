import { expect, test } from "vitest";
import { chipsOf, noState, tidyState, toCurl, toRunsFilter } from "./activity-filter.ts";

test.each([
  [{}, {}],
  [{ statuses: ["failed", "nonsense"] }, { statuses: ["failed"] }],
  [{ statuses: "failed" as never }, { statuses: ["failed"] }],
  [
    { workflows: ["build"], triggers: ["manual"] },
    { workflows: ["build"], triggers: ["manual"] },
  ],
  [{ labels: ["stage=test", "broken"] }, { labels: ["stage=test"] }],
  [{ who: "user:1" }, { initiators: ["user:1"] }],
  [{ span: "1h", from: "2026-01-01T00:00" }, { sinceMs: 3_600_000 }],
  [{ span: "custom", from: "2026-01-01T00:00" }, { from: "2026-01-01T00:00" }],
  [{ span: "nonsense" }, {}],
  [{ q: "  A-2345 failed " }, { search: "A-2345 failed" }],
])("%j in the address asks for %j", (state, filter) => {
  expect(toRunsFilter({ ...noState, ...state })).toEqual(filter);
});

test("the command has the same filters, quoted safely", () => {
  const filter = { statuses: ["failed" as const], labels: ["stage=a b"], sinceMs: 1000 };
  expect(toCurl("https://mill.example", "hawks", filter, 5000)).toBe(
    'curl -sS -H "Authorization: Bearer $TOKEN" \\\n' +
      '  "https://mill.example/api/v2/team/hawks/workflowrun/query?labels=stage%3Da%20b&statuses=failed&fromDate=4000&order=DESC&limit=100"',
  );
});

test("each value that is set is a chip, which leads to the state without it", () => {
  const state = {
    ...noState,
    q: "A-2345",
    statuses: ["failed"],
    workflows: ["build", "test"],
    labels: ["stage=test"],
    phase: ["queued"],
    who: "user:1",
    span: "24h",
  };
  const chips = chipsOf(state, (kind, value) => `${kind} ${value}`);
  expect(chips.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    "Workflow: workflow build",
    "Workflow: workflow test",
    "Phase: Queued",
    "Label: stage=test",
    "Started by: who user:1",
    "Created: Last 24 hours",
  ]);
  expect(chips.map(({ without }) => without)).toEqual([
    { workflows: ["test"] },
    { workflows: ["build"] },
    { phase: [] },
    { labels: [] },
    { who: "" },
    { span: "", from: "", to: "" },
  ]);
});

test.each([
  ["2026-03-01T10:00", "2026-03-01T12:00", /^1 Mar 2026, 10:00\W+12:00$|^Mar 1, 2026, 10:00.*12:00/],
  ["2026-03-01T10:00", "", /^Since /],
  ["", "2026-03-01T12:00", /^Before /],
  ["nonsense", "", /^Custom range$/],
])("a range from %j to %j is shown in the time zone of the viewer", (from, to, text) => {
  expect(chipsOf({ ...noState, span: "custom", from, to }, String)[0]?.value).toMatch(text);
});

test.each([
  [{ size: 7 }, { size: 25 }],
  [
    { size: 100, desc: false, page: -3 },
    { size: 100, desc: false, page: 0 },
  ],
  [{ columns: "labels" as never }, { columns: ["labels"] }],
  [{ q: 12345678 as never }, { q: "12345678" }],
])("of %j in the address the page can show %j", (state, shown) => {
  expect(tidyState({ ...noState, ...state })).toMatchObject(shown);
});

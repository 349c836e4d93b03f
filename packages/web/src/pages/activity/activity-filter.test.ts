import { expect, test } from "vitest";
import { noFilter, toCurl, toRunsFilter } from "./activity-filter.ts";

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
])("%j in the address asks for %j", (state, filter) => {
  expect(toRunsFilter({ ...noFilter, ...state })).toEqual(filter);
});

test("the command asks the same, with what could be misread written safely", () => {
  const filter = { statuses: ["failed" as const], labels: ["stage=a b"], sinceMs: 1000 };
  expect(toCurl("https://mill.example", "hawks", filter, 5000)).toBe(
    'curl -sS -H "Authorization: Bearer $TOKEN" \\\n' +
      '  "https://mill.example/api/v2/team/hawks/workflowrun/query?labels=stage%3Da%20b&statuses=failed&fromDate=4000&order=DESC&limit=100"',
  );
});

import { expect, test } from "vitest";
import type { RunView } from "../../../api/queries/run/run-views.ts";
import { noState } from "../activity-filter.ts";
import { isChanged, stateOfView, viewOfState } from "./view-state.ts";

const state = {
  ...noState,
  q: "A-2345",
  statuses: ["failed"],
  workflows: ["orders"],
  labels: ["stage=live", "url=a=b"],
  who: "user:1",
  acknowledged: "no",
  span: "24h",
  sort: "duration",
  desc: false,
  size: 50,
};
const view: RunView = {
  id: "v1",
  name: "Failed orders",
  scope: "team",
  createdByName: "Ada",
  creationDate: "2026-05-04T06:00:00.000Z",
  ...{ mayChange: true, isDefault: false },
  ...viewOfState(state, ["status", "labels"]),
};

test("a view says the same as the page that it was saved from; a span stays one that moves with the time", () => {
  expect(view.filter).toEqual({
    search: "A-2345",
    statuses: ["failed"],
    workflows: ["orders"],
    labels: { stage: "live", url: "a=b" },
    initiators: ["user:1"],
    acknowledged: false,
    since: "24h",
  });
  expect(stateOfView(view)).toEqual({ ...state, columns: ["status", "labels"], saved: "v1" });
});

test("a range is kept to the second", () => {
  const range = { ...noState, span: "custom", from: "2026-03-01T10:00:05", to: "2026-03-01T12:00:00" };
  expect(stateOfView({ ...view, ...viewOfState(range, []) })).toMatchObject({ span: "custom", from: range.from, to: range.to });
});

test.each([
  ["nothing", {}, ["labels", "status"], false],
  ["the page", { page: 3 }, ["status", "labels"], false],
  ["the search", { q: "A-1" }, ["status", "labels"], true],
  ["what it is sorted by", { sort: "status" }, ["status", "labels"], true],
  ["the columns", {}, ["status"], true],
])("with another %s than was saved, it is changed or not", (_, change, columns, changed) => {
  expect(isChanged(view, { ...stateOfView(view), ...change }, columns)).toBe(changed);
});

test("what the page can't show of a view is left out", () => {
  const odd = { ...view, filter: { since: "3w", initiators: [], phase: [] }, limit: 33 };
  expect(stateOfView(odd)).toMatchObject({ span: "", who: "", size: 25 });
});

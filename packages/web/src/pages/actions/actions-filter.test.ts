import { expect, test } from "vitest";
import { inboxDefaults, toActionsFilter } from "./actions-filter.ts";

const newest = { sort: "creationDate", order: "DESC" };

test.each([
  [{}, { statuses: ["submitted"], ...newest }],
  [
    { show: "all", mine: true },
    { mine: true, ...newest },
  ],
  [
    { show: "decided", mine: true, overdue: true },
    { statuses: ["approved", "rejected", "cancelled"], ...newest },
  ],
  [
    { show: "nonsense", sort: "nonsense", type: "nonsense" },
    { statuses: ["submitted"], ...newest },
  ],
  [
    { sort: "deadline", type: "manual", workflow: "release" },
    { statuses: ["submitted"], types: ["manual"], workflows: ["release"], sort: "deadline", order: "ASC" },
  ],
])("%j in the address asks for %j", (state, filter) => {
  expect(toActionsFilter({ ...inboxDefaults, ...state })).toEqual(filter);
});

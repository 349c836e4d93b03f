import { expect, test } from "vitest";
import { auditDefaults, isFiltered, toAuditFilter } from "./audit-filter.ts";

const of = (change: Partial<typeof auditDefaults>) => toAuditFilter({ ...auditDefaults, ...change });

test("only filters that are set are sent", () => {
  expect(of({})).toEqual({ page: 0 });
  expect(of({ actor: "Ada", kind: "team", page: 2 })).toEqual({ page: 2, actors: ["Ada"], kinds: ["team"] });
  expect(isFiltered({ ...auditDefaults, page: 3, entry: "x" })).toBe(false);
  expect(isFiltered({ ...auditDefaults, request: "x" })).toBe(true);
});

test("the last day is included as a whole", () => {
  const { fromDate = 0, toDate = 0 } = of({ from: "2026-03-01", to: "2026-03-01" });
  expect(toDate - fromDate).toBe(86_400_000);
});

test("an invalid date is not sent", () => expect(of({ from: "soon" })).toEqual({ page: 0 }));

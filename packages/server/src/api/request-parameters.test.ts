import { expect, test } from "vitest";
import { toDateRange, toLabelFilter } from "./request-parameters.ts";
import { viewPage } from "./view-page.ts";

test("pairs become a map, split at the first =; the same pair twice is one", () => {
  expect(toLabelFilter(["a=1=2", "b=", "a=1=2"])).toEqual({ a: "1=2", b: "" });
  expect(toLabelFilter(undefined)).toEqual({});
});

test.each([[["a"]], [["=1"]], [["a=1", "a=2"]]])("%j is not a filter", (pairs) => expect(() => toLabelFilter(pairs)).toThrow("labels"));

test("a range has one end, both or none, and dates beyond the database's range are clamped", () => {
  expect(toDateRange({})).toEqual({});
  expect(toDateRange({ fromDate: 0, toDate: 8_640_000_000_000_000 })).toEqual({ from: new Date(0), to: new Date("9999-12-31") });
  expect(() => toDateRange({ fromDate: 2, toDate: 1 })).toThrow("after");
});

test.each([
  [0, 5, 5, { totalPages: 1, first: true, last: true, empty: false }],
  [0, 0, 0, { totalPages: 0, first: true, last: true, empty: true }],
  [1, 2, 7, { totalPages: 2, first: false, last: true, empty: false }],
  [0, 5, 6, { totalPages: 2, first: true, last: false, empty: false }],
])("page %i with %i of %i items", (page, length, total, expected) => {
  expect(viewPage(Array(length).fill("x"), { limit: 5, page, total, sorted: true })).toMatchObject({
    ...expected,
    number: page,
    size: 5,
    totalElements: total,
  });
});

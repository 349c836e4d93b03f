import fc from "fast-check";
import { type JsonValue, query } from "jsonpath-rfc9535";
import { describe, expect, test } from "vitest";
import { findByJsonPath, jsonPathFault, maxVisited } from "./json-path.ts";

/** The order of an object's members is unspecified. */
const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();

const document: JsonValue = {
  type: "order.placed",
  data: { items: [{ id: 1, "a b": true }, { id: 2 }, { id: 3 }], none: null, deep: { id: 4 } },
};

describe("a path leads where RFC 9535 says", () => {
  test.each([
    "$",
    "$.type",
    "$.data.items[0]",
    "$.data.items[-1].id",
    "$.data.items[9]",
    "$.data.items[*].id",
    "$.data.items[0]['a b']",
    "$['data']['items'][0,2,2].id",
    "$.data.items[1:].id",
    "$.data.items[::-1].id",
    "$.data.items[-2:9:2].id",
    "$.data.items[2:0:-1].id",
    "$.data.items[::0].id",
    "$..id",
    "$..*",
    "$.data..id",
    "$.data.none",
    "$.type.length",
    "$.data.items.length",
    "$.toString",
  ])("%s", (path) => expect(sorted(findByJsonPath(document, path))).toEqual(sorted(query(document, path))));

  test("in the order of a list", () => {
    expect(findByJsonPath(document, "$.data.items[::-1].id")).toEqual([3, 2, 1]);
    expect(findByJsonPath(document, "$.data.items[2:0:-1].id")).toEqual([3, 2]);
    expect(findByJsonPath(document, "$.data.items[:-9:-2].id")).toEqual([3, 1]);
    expect(findByJsonPath(document, "$.data.items[*].id")).toEqual([1, 2, 3]);
  });

  test("for slices as lists themselves have them", () => {
    const bound = fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 6 }), bound, bound, fc.integer({ min: 1, max: 4 }), (list, start, end, step) => {
        const expected = list.slice(start, end).filter((_, index) => index % step === 0);
        expect(findByJsonPath(list, `$[${start ?? ""}:${end ?? ""}:${step}]`)).toEqual(expected);
      }),
    );
  });
});

test.each(["type", "", "$.", "$[", "$.a[?@.b == 1]", "$[?match(@.a, '(a+)+$')]"])("%s is refused", (path) => {
  expect(jsonPathFault(path)).toMatch(/not a JSONPath|a filter/);
  expect(findByJsonPath(document, path)).toEqual([]);
});

test("a path that would keep the parser busy forever is refused unread", () => {
  for (const path of [`$[?${"length(".repeat(100)}`, `$['a'][?${"count(@.".repeat(100)}`, `$['a[?${"length(".repeat(100)}`]) {
    expect(jsonPathFault(path)).toBeDefined();
    expect(findByJsonPath(document, path)).toEqual([]);
  }
  expect(findByJsonPath({ "what?": 1, 'a"?': 2 }, "$['what?']")).toEqual([1]);
  expect(findByJsonPath({ "it's?": 1 }, "$['it\\'s?']")).toEqual([1]);
});

test("neither a wide document nor a path that repeats itself costs more than the bound", () => {
  const wide = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  expect(findByJsonPath(wide, "$..id").length).toBeLessThanOrEqual(maxVisited);
  expect(findByJsonPath(wide, "$[*]").length).toBeLessThanOrEqual(maxVisited);
  let chain: unknown = 1;
  for (let depth = 0; depth < 60; depth++) chain = { a: chain };
  expect(findByJsonPath(chain, `$${"['a','a']".repeat(60)}`).length).toBeLessThanOrEqual(maxVisited);
  expect(findByJsonPath(chain, `$${"..*".repeat(60)}`).length).toBeLessThanOrEqual(maxVisited);
});

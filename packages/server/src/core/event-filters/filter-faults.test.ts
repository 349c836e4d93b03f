import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import { describe, expect, test } from "vitest";
import { filterFaults } from "./filter-faults.ts";

const faults = (...filters: EventFilter[]) => filterFaults(filters, "/filters").map(({ path, message }) => `${path} ${message}`);
const nested = (depth: number): EventFilter => (depth === 1 ? { exact: { type: "a" } } : { not: nested(depth - 1) });

describe("a filter can be saved", () => {
  test.each<[string, EventFilter]>([
    ["exact", { exact: { type: "a", initiatorcontext: "b" } }],
    ["all, with what is absent as null", { all: [{ prefix: { source: "/a" } }], any: null, sql: null }],
    ["as deep as filters may be", nested(5)],
    ["sql", { sql: "NOT (type LIKE 'a%') AND CONCAT_WS('-', id, subject) IN ('a-b')" }],
    ["an attribute alone, which may be true", { sql: "urgent" }],
  ])("%s", (_, filter) => expect(faults(filter)).toEqual([]));
});

describe("a filter is refused, with the place", () => {
  test.each<[string, EventFilter, string]>([
    ["no dialect", {}, "/filters/0 has no dialect; a filter has exactly one of exact,"],
    ["two dialects", { exact: { type: "a" }, sql: "TRUE" }, "/filters/0 has exact and sql; a filter has exactly one"],
    ["no attribute", { exact: {} }, "/filters/0/exact is empty; give at least one attribute"],
    ["data", { prefix: { data: "a" } }, "/filters/0/prefix/data is not an attribute: filters check only the attributes of an event"],
    ["a strange name", { suffix: { "a-b": "a" } }, "/filters/0/suffix/a-b is not an attribute name"],
    ["an empty text", { prefix: { type: "" } }, "/filters/0/prefix/type is empty, but no attribute is"],
    ["an empty list", { any: [] }, "/filters/0/any is empty; it needs at least one filter"],
    ["too deep", nested(6), "/filters/0/not/not/not/not/not is nested too deeply; filters can be nested 5 levels deep"],
    [
      "inside another",
      { all: [{ sql: "TRUE" }, { sql: "a =" }] },
      "/filters/0/all/1/sql is not a CloudEvents SQL expression: at character 4: the expression ends where a value",
    ],
  ])("%s", (_, filter, message) => {
    expect(faults(filter)).toHaveLength(1);
    expect(faults(filter)[0]).toContain(message);
  });

  test("more filters, or more text, than can be evaluated in time", () => {
    const many = Array.from({ length: 21 }, () => nested(1));
    expect(faults(...many)).toEqual(["/filters has 21 filters; at most 20 are allowed"]);
    const list = { any: Array.from({ length: 100 }, () => nested(1)) };
    expect(faults(list)).toEqual(["/filters has 101 filters, including nested ones; at most 100 are allowed"]);
    const long = { any: Array.from({ length: 6 }, () => ({ exact: { type: "a".repeat(1999) } })) };
    expect(faults(long)).toEqual(["/filters has more than 10000 characters in all its texts"]);
  });
});

describe("an expression is refused, with the character", () => {
  test.each([
    ["", "at character 1: the expression ends where a value"],
    ["type = ", "at character 8: the expression ends"],
    ["type = 'a", "at character 8: the text that starts here is not closed with '"],
    ["type == 'a'", `at character 7: "=" was found where a value`],
    ["type # 'a'", `at character 6: "#" has no meaning here`],
    ["(type = 'a'", "at character 12: the expression ends where ) should be"],
    ["type = 'a')", `at character 11: ")" was found where an operator or the end should be`],
    ["type LIKE subject", `at character 11: "subject" was found where a pattern in quotes should be`],
    ["type IN 'a'", `at character 9: "a" was found where a list in brackets should be`],
    ["type IN ()", `at character 10: ")" was found where a value`],
    ["NOT type LIKE 'a%'", "at character 1: NOT is applied before LIKE"],
    ["EXISTS and", `at character 8: "and" was found where a value`],
    ["my_type = 'a'", "at character 1: my_type is not an attribute name"],
    ["NOW() = 1", "at character 1: there is no function NOW; known are LENGTH,"],
    ["LENGTH() = 1", "at character 1: LENGTH takes 1 arguments, not 0"],
    ["SUBSTRING('a') = 'a'", "at character 1: SUBSTRING takes 2 or 3 arguments, not 1"],
    ["level = 2147483648", "at character 9: 2147483648 is not a number of 32 bits"],
    [`${"(".repeat(31)}TRUE${")".repeat(31)}`, "at character 32: it is nested deeper than 30 levels"],
    [Array(260).fill("1").join(" + "), "it has more than 500 words and signs"],
  ])("%s", (sql, message) => {
    expect(faults({ sql })[0]).toContain(`/filters/0/sql is not a CloudEvents SQL expression: `);
    expect(faults({ sql })[0]).toContain(message);
  });

  test("when it can't ever be true", () => {
    expect(faults({ sql: "'a'" })).toEqual([
      "/filters/0/sql is always a text; a filter must be true or false, such as type = 'order.placed'",
    ]);
    expect(faults({ sql: "LENGTH(type)" })[0]).toContain("is always a number");
  });
});

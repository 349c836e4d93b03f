import { expect, test } from "vitest";
import { stepPrograms } from "./run-program.ts";

const run = stepPrograms();
const document = JSON.stringify({
  items: [
    { id: "a", size: 1 },
    { id: "b", size: 2.5, tags: ["x"] },
  ],
  empty: "",
});

test.each([
  ["$.items[1].id", "b"],
  ["items[0].id", "a"],
  ["$.items[?@.size > 2].size", "2.5"],
  ["$..tags", '["x"]'],
  ["$.items[0]", '{"id":"a","size":1}'],
  ["$['empty']", ""],
])("%s gives the first value found as %s", async (query, evaluation) => {
  expect(await run("jsonpath", { json: document, query })).toMatchObject({ code: 0, results: { evaluation } });
});

test("a query that finds several values says so", async () => {
  const outcome = await run("jsonpath", { json: document, query: "$.items[*].id" });
  expect(outcome.results.evaluation).toBe("a");
  expect(outcome.output).toContain("finds 2 values; the first one is the result");
});

test.each([
  ["", "$.a", /parameter json is empty/],
  ["{", "$.a", /parameter json is not JSON: /],
  ["{}", "", /parameter query is empty/],
  ["{}", "$.a[", /query "\$\.a\[" is not JSONPath/],
  ["{}", "$.a", /query "\$\.a" finds nothing in the JSON/],
])("json %j with query %j fails clearly and sets no result", async (json, query, message) => {
  const outcome = await run("jsonpath", { json, query });
  expect(outcome).toMatchObject({ code: 1, results: {} });
  expect(outcome.errors).toMatch(message);
});

import { expect, test } from "vitest";
import { expressionsOf, firstUnknown, isUnknown, referencesIn, unknownParts } from "./expressions.ts";

const known = { tasks: new Set(["fetch", "a.b"]), params: new Set(["city", "my param"]) };

test.each([
  ["tasks.fetch.results.body", false],
  ["task.fetch.results.body", false],
  ["tasks['a.b'].results.x", false],
  ["tasks.fetsh.results.body", true],
  ["tasks['a.c'].results.x", true],
  ["params.city", false],
  ["params.my param", false],
  ["params.citty", true],
  ["workflow.params.citty", true],
  ["team.params.anything", false],
  ["context.workflow.name", false],
  ["params", false],
])("%j is unresolved: %j", (inside, expected) => {
  expect(isUnknown(inside, known)).toBe(expected);
});

test("unresolved parts are located in the text, including those that the service reports", () => {
  const text = "Hi $(params.citty), $(params.city) and $(team.params.gone)";
  expect(unknownParts(text, known, [{ reference: "$(team.params.gone)" }]).map(({ from, to }) => text.slice(from, to))).toEqual([
    "$(params.citty)",
    "$(team.params.gone)",
  ]);
  expect(referencesIn("$(a) $( b ) $(c").map(({ inside }) => inside)).toEqual(["a", "b"]);
});

test("all texts of a task with references are previewed, including the list of its items", () => {
  const task = {
    name: "t",
    params: [
      { name: "url", value: "$(params.city)" },
      { name: "plain", value: "x" },
      { name: "count", value: 3 },
      { name: "links", value: [{ url: "https://x", label: "In $(params.city)" }] },
    ],
    forEach: { items: "$(tasks.fetch.results.list)" },
  };
  expect(expressionsOf(task)).toEqual([
    { param: "url", text: "$(params.city)", isParam: true },
    { param: "links/0/label", text: "In $(params.city)", isParam: false },
    { param: "forEach.items", text: "$(tasks.fetch.results.list)", isParam: false },
  ]);
});

test("a task may refer to its own parameters; other invalid references are marked", () => {
  const task = (value: string) => ({
    name: "t",
    params: [
      { name: "own", value: 1 },
      { name: "text", value },
    ],
  });
  expect([firstUnknown(task("$(params.own)"), known), firstUnknown(task("$(params.owm)"), known)]).toEqual([undefined, "params.owm"]);
});

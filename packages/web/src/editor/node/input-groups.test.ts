import { expect, test } from "vitest";
import type { PreviewReference } from "../../api/queries/workflow/trials.ts";
import { inputGroups, shortName } from "./input-groups.ts";

const references: PreviewReference[] = [
  { reference: "$(params.city)", kind: "parameter", lastValue: "Oslo" },
  { reference: "$(tasks.fetch.results.body)", kind: "result", task: "fetch", lastValue: "snow" },
  { reference: "$(tasks.fetch.results.code)", kind: "result", task: "fetch" },
  { reference: "$(tasks.other.results.body)", kind: "result", task: "other" },
  { reference: "$(params.team-name)", kind: "system", lastValue: "owls" },
  { reference: "$(params.url)", kind: "parameter", layer: "task", lastValue: "https://example.org" },
];

test("values are grouped by kind and by the task that produced them", () => {
  expect(inputGroups(references, "").map(({ kind, task, references: { length } }) => [kind, task, length])).toEqual([
    ["parameter", undefined, 1],
    ["result", "fetch", 2],
    ["result", "other", 1],
    ["own", undefined, 1],
    ["system", undefined, 1],
  ]);
});

test.each([
  ["oslo", ["$(params.city)"]],
  ["fetch body", ["$(tasks.fetch.results.body)"]],
  ["nowhere", []],
])("a search for %j finds %j", (search, found) => {
  expect(inputGroups(references, search).flatMap(({ references: all }) => all.map(({ reference }) => reference))).toEqual(found);
});

test.each([
  ["$(params.city)", "city"],
  ["$(tasks.fetch.results.body)", "body"],
  ["$(tasks['a.b'].results['x.y'])", "['x.y']"],
  ["$(team.params.city)", "team.params.city"],
])("%j is called %j in its group", (reference, name) => {
  expect(shortName({ reference })).toBe(name);
});

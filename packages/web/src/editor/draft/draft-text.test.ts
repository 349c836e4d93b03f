import { describe, expect, test } from "vitest";
import { matchingReferences, openReference } from "../form/references.ts";
import { draftOf } from "./draft.ts";
import { draftFromText, placesIn, textOf } from "./draft-text.ts";

const draft = draftOf({ name: "w", tasks: [{ name: "a", taskRef: "shell", params: [{ name: "script", value: "echo\nls" }] }], params: [] });

test.each(["yaml", "json"] as const)("a draft and its %s say the same", (format) => {
  expect(draftFromText(textOf(draft, format), draft)).toEqual({ draft, faults: [] });
});

test.each([
  ["a: [", /./],
  ["- a", /map/],
  ["name: w\ntasks: 3", /tasks/],
  ["name: w\ntasks: [{}]", /tasks/],
  ["name: other\ntasks: []", /stays w/],
  ["name: CI\non: push\njobs: {}", /another product/],
  ["name: w\ntimeout: 12345678901234567890\ntasks: []", /more digits/],
])("%j is refused", (text, why) => {
  expect(draftFromText(text, draft).faults[0]?.message).toMatch(why);
});

test("merge keys are resolved, as the service does", () => {
  const { draft: read } = draftFromText("name: w\nbase: &base { timeout: 5 }\ntasks:\n  - <<: *base\n    name: b\n", draft);
  expect(read?.tasks).toMatchObject([{ name: "b", timeout: 5 }]);
});

test("a JSON pointer is resolved to its position in the text", () => {
  const text = "name: w\ntasks:\n  - name: a\n    taskRef: nothing\n";
  const { from, to } = placesIn(text)("/tasks/0/taskRef");
  expect(text.slice(from, to)).toBe("nothing");
  expect(text.slice(placesIn(text)("/tasks/0/params/3").from)).toMatch(/^name: a/);
});

describe("completing a reference", () => {
  test.each([
    ["echo $(par", 10, { from: 5, typed: "par" }],
    ["echo $(params.a) x", 18, undefined],
    ["$(a) $(b", 8, { from: 5, typed: "b" }],
    ["echo", 4, undefined],
    ["$(", 2, { from: 0, typed: "" }],
  ])("%j at %i", (text, caret, expected) => {
    expect(openReference(text, caret)).toEqual(expected);
  });
  test("offers what begins so first", () => {
    const offers = ["team.params.x", "params.x", "params.y", "tasks.x.results.params"].map((name) => ({ name }));
    const found = (typed: string) => matchingReferences(offers, typed).map(({ name }) => name);
    expect(found("params.x")).toEqual(["params.x", "team.params.x"]);
    expect(found("x")).toEqual(["team.params.x", "params.x", "tasks.x.results.params"]);
  });
});

import { describe, expect, test } from "vitest";
import { misspeltMember } from "./misspelt-members.ts";

const known = ["name", "dependencies", "params", "retry", "timeout", "taskRef", "workspaces", "forEach"];

describe("a member that looks like one that is known is named with it:", () => {
  test.each([
    ["dependancies", "dependencies"],
    ["depndencies", "dependencies"],
    ["Params", "params"],
    ["parmas", "params"],
    ["retrys", "retry"],
    ["retries", "retry"],
    ["timout", "timeout"],
    ["workspace", "workspaces"],
    ["foreach", "forEach"],
    ["dependsOn", "dependencies"],
    ["runAfter", "dependencies"],
    ["with", "params"],
  ])("%s", (name, meant) => {
    expect(misspeltMember({ name, known })).toBe(`is unknown here and has no effect; did you mean ${meant}?`);
  });
});

test("a member of another product is named by what is known at its place", () => {
  expect(misspeltMember({ name: "arguments", known: ["args", "env", "params"] })).toContain("did you mean args?");
  expect(misspeltMember({ name: "run", known: ["script", "image"] })).toContain("did you mean script?");
  expect(misspeltMember({ name: "run", known })).toBeUndefined();
});

test.each(["hint", "ourParams", "x-owner", "note", "tags", "__proto__", "constructor", "toString"])("%s is someone's own", (name) => {
  expect(misspeltMember({ name, known })).toBeUndefined();
});

test("what is meant to limit says what does", () => {
  expect(misspeltMember({ name: "concurrency", known })).toContain("maxConcurrentRuns");
});

test("a long name costs no time", () => {
  expect(misspeltMember({ name: "x".repeat(1_000_000), known })).toBeUndefined();
});

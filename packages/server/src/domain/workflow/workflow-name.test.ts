import { describe, expect, test } from "vitest";
import { duplicateName, toWorkflowName } from "./workflow-name.ts";

describe("the name of a workflow", () => {
  test.each([
    ["Nightly Report", "nightly-report"],
    ["  a  b  ", "a-b"],
    ["it's (new)!", "it-s-new"],
    ["-x-", "-x-"],
  ])("%j becomes %s", (given, name) => {
    expect(toWorkflowName(given)).toBe(name);
  });

  test.each(["", "!!", "-", "日本"])("%j is none", (given) => {
    expect(() => toWorkflowName(given)).toThrow(/at least one letter or digit/);
  });

  test.each(["query", "Query!", "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"])("%s is reserved", (given) => {
    expect(() => toWorkflowName(given)).toThrow(/reserved/);
  });
});

describe("a duplicate is named", () => {
  test("by the first free name", () => {
    expect(duplicateName("a", new Set(["a"]))).toBe("a-duplicate");
    expect(duplicateName("a", new Set(["a", "a-duplicate", "a-duplicate-3"]))).toBe("a-duplicate-2");
    expect(duplicateName("a-duplicate", new Set(["a-duplicate"]))).toBe("a-duplicate-duplicate");
  });

  test("so that it can be written back, however long the name is", () => {
    expect(duplicateName("a".repeat(128), new Set())).toHaveLength(128);
  });
});

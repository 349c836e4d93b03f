import { expect, test } from "vitest";
import type { Trigger } from "../triggers/trigger-draft.ts";
import { verdictLines } from "./verdict-lines.ts";

const linesOf = (trigger: Trigger, checks: { path: string; holds: boolean; found?: string[] }[]) =>
  verdictLines(trigger, { holds: false, blockers: [], words: {}, submission: {}, attributes: { type: "push" }, checks });

test.each<[string, Trigger, { path: string; holds: boolean; found?: string[] }, object]>([
  [
    "a condition that holds",
    { conditions: [{ field: "events", operation: "equals", value: "push" }] },
    { path: "/conditions/0", holds: true, found: ["push"] },
    { phrase: "events is push", found: undefined },
  ],
  [
    "a condition on something else",
    { conditions: [{ field: "branches", operation: "in", values: ["a", "b"] }] },
    { path: "/conditions/0", holds: false, found: ["main"] },
    { phrase: "branches is one of a, b", found: "the value is main" },
  ],
  [
    "a condition on nothing",
    { conditions: [{ field: "tags", operation: "matches", value: "v.*" }] },
    { path: "/conditions/0", holds: false, found: [] },
    { phrase: "tags matches v.*", found: "no value was found" },
  ],
  [
    "a filter on attributes",
    { filters: [{ prefix: { type: "order.", region: "n" } }] },
    { path: "/filters/0", holds: false },
    { phrase: "type starts with order. and region starts with n", found: "type is push, there is no region" },
  ],
  [
    "a filter in a group",
    { filters: [{ any: [{ sql: "EXISTS x" }] }] },
    { path: "/filters/0/any/0", holds: false },
    { phrase: "EXISTS x", depth: 1, found: undefined },
  ],
  ["what is gone", {}, { path: "/conditions/3", holds: true }, { phrase: "A removed condition" }],
])("%s", (_, trigger, check, line) => {
  expect(linesOf(trigger, [check])).toMatchObject([line]);
});

test("`not any` is one line, with its conditions below it", () => {
  const filters = [{ not: { any: [{ sql: "a" }, { not: { sql: "b" } }] } }];
  const paths = ["/filters/0", "/filters/0/not", "/filters/0/not/any/0", "/filters/0/not/any/1", "/filters/0/not/any/1/not"];
  const lines = linesOf(
    { filters },
    paths.map((path) => ({ path, holds: true })),
  );
  expect(lines.map(({ depth, phrase }) => [depth, phrase])).toEqual([
    [0, "None of these"],
    [1, "a"],
    [1, "None of these"],
    [2, "b"],
  ]);
});

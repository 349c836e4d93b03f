import { describe, expect, test } from "vitest";
import { filterOf, innerPath, nodeOf, textOf, treeOf } from "./filter-tree.ts";

const kept: [string, unknown, object][] = [
  ["a text", { exact: { type: "a" } }, { kind: "text", how: "exact", pairs: [{ attribute: "type", text: "a" }] }],
  [
    "texts of several attributes",
    { suffix: { type: "a", source: "b" } },
    { kind: "text", pairs: [{ attribute: "type" }, { attribute: "source" }] },
  ],
  ["SQL", { sql: "EXISTS region" }, { kind: "sql", text: "EXISTS region" }],
  ["all of some", { all: [{ sql: "TRUE" }] }, { kind: "group", how: "all", nodes: [{ kind: "sql" }] }],
  ["an empty group", { any: [] }, { kind: "group", how: "any", nodes: [] }],
  ["not one", { not: { prefix: { type: "a" } } }, { kind: "group", how: "none", nodes: [{ kind: "text" }] }],
  ["not any of two", { not: { any: [{ sql: "a" }, { sql: "b" }] } }, { kind: "group", how: "none", nodes: [{ text: "a" }, { text: "b" }] }],
  ["not any of one", { not: { any: [{ sql: "a" }] } }, { kind: "group", how: "none", nodes: [{ kind: "group", how: "any" }] }],
  ["not all", { not: { all: [{ sql: "a" }, { sql: "b" }] } }, { kind: "group", how: "none", nodes: [{ kind: "group", how: "all" }] }],
  ["groups in groups", { any: [{ all: [{ not: { sql: "a" } }] }] }, { how: "any", nodes: [{ how: "all", nodes: [{ how: "none" }] }] }],
];

const unshown: [string, unknown, string][] = [
  ["an unknown member", { near: "x" }, "unknown member near"],
  ["two dialects", { exact: { type: "a" }, sql: "b" }, "exact and sql"],
  ["nothing", {}, "empty"],
  ["no object", "x", "not an object"],
  ["a number as a text", { exact: { type: 5 } }, "of exact"],
  ["no attribute", { exact: {} }, "of exact"],
  ["a list where none is", { all: {} }, "of all"],
];

describe("a filter is shown and written back unchanged", () => {
  test.each(kept)("%s", (_, filter, node) => {
    expect(nodeOf(filter)).toMatchObject(node);
    expect(filterOf(nodeOf(filter))).toEqual(filter);
  });

  test("a member that is null counts as absent", () => {
    expect(filterOf(nodeOf({ exact: null, sql: "TRUE" }))).toEqual({ sql: "TRUE" });
  });
});

test.each(unshown)("%s can't be shown, is kept and says why", (_, filter, why) => {
  const node = nodeOf(filter);
  expect(node).toMatchObject({ kind: "raw", why: expect.stringContaining(why) });
  expect(filterOf(node)).toEqual(filter);
});

test("a filter inside a group that can't be shown stays there", () => {
  const filter = { any: [{ sql: "a" }, { near: 1 }] };
  expect(nodeOf(filter)).toMatchObject({ nodes: [{ kind: "sql" }, { kind: "raw" }] });
  expect(filterOf(nodeOf(filter))).toEqual(filter);
});

test.each([
  ["", []],
  ["  ", []],
  ["[]", []],
  ["{}", undefined],
  ["[", undefined],
  ['[{"sql": "a"}]', [{ kind: "sql" }]],
])("the tree of %j", (text, tree) => {
  if (tree === undefined) expect(treeOf(text)).toBeUndefined();
  else expect(treeOf(text)).toMatchObject(tree);
});

test("no filters are written as an empty text, others as a list", () => {
  expect(textOf([])).toBe("");
  expect(JSON.parse(textOf([nodeOf({ sql: "a" })]))).toEqual([{ sql: "a" }]);
});

test.each([
  [{ all: [{ sql: "a" }] }, 0, "/0/all/0"],
  [{ any: [{ sql: "a" }, { sql: "b" }] }, 1, "/0/any/1"],
  [{ not: { sql: "a" } }, 0, "/0/not"],
  [{ not: { any: [{ sql: "a" }, { sql: "b" }] } }, 1, "/0/not/any/1"],
])("in %j filter %i is at %s", (filter, index, path) => {
  const node = nodeOf(filter);
  expect(node.kind === "group" && innerPath(node, "/0", index)).toBe(path);
});

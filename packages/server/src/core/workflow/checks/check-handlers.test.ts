import { expect, test } from "vitest";
import { checkGraph } from "./check-graph.ts";
import type { GraphNode } from "./check-node.ts";

const node = (name: string, more: Partial<GraphNode> = {}): GraphNode => ({ name, type: "script", dependencies: [], ...more });
const after = (...names: string[]) => ({ dependencies: names.map((taskRef) => ({ taskRef })) });

test("handlers and compensations get no links with the flow", () => {
  const { nodes, problems } = checkGraph([
    node("a", { compensatedBy: "undo" }),
    node("undo"),
    node("clean", { handler: "finally" }),
    node("last", { handler: "finally", ...after("clean") }),
  ]);
  expect(problems).toEqual([]);
  const links = nodes.map(({ name, dependencies }) => [name, (dependencies ?? []).map(({ taskRef }) => taskRef)]);
  expect(Object.fromEntries(links)).toEqual({ start: [], a: ["start"], undo: [], clean: [], last: ["clean"], end: ["a"] });
});

test.each<[string, GraphNode[], string, string]>([
  ["an unknown kind", [node("a", { handler: "later" })], "/tasks/0/handler", "possible: finally, onFailure"],
  ["a marker", [{ name: "end", type: "end", handler: "finally" }], "/tasks/0/handler", "cannot be a handler"],
  [
    "one that sets the status",
    [node("a", { handler: "finally", type: "setwfstatus" })],
    "/tasks/0/type",
    "known before the handlers run; do it in the flow",
  ],
  [
    "a flow that waits for it",
    [node("h", { handler: "finally" }), node("a", after("h"))],
    "/tasks/1/dependencies/0/taskRef",
    "which runs after the flow",
  ],
  [
    "one that waits for the flow",
    [node("a"), node("h", { handler: "finally", ...after("a") })],
    "/tasks/1/dependencies/0/taskRef",
    "only on",
  ],
  [
    "one that waits for the other kind",
    [node("a", { handler: "onFailure" }), node("h", { handler: "finally", ...after("a") })],
    "/tasks/1/dependencies/0/taskRef",
    "only on tasks with the same one",
  ],
  ["an unknown compensation", [node("a", { compensatedBy: "b" })], "/tasks/0/compensatedBy", "not in the workflow"],
  ["a compensation of itself", [node("a", { compensatedBy: "a" })], "/tasks/0/compensatedBy", "cannot compensate itself"],
  [
    "a compensation of two",
    [node("a", { compensatedBy: "u" }), node("b", { compensatedBy: "u" }), node("u")],
    "/tasks/1/compensatedBy",
    'compensates "a" already',
  ],
  [
    "a compensation of a handler",
    [node("h", { handler: "finally", compensatedBy: "u" }), node("u")],
    "/tasks/0/compensatedBy",
    "nothing can compensate it",
  ],
  [
    "a compensation of a compensation",
    [node("a", { compensatedBy: "u" }), node("u", { compensatedBy: "v" }), node("v")],
    "/tasks/1/compensatedBy",
    "nothing can compensate it",
  ],
  [
    "a handler as compensation",
    [node("a", { compensatedBy: "h" }), node("h", { handler: "finally" })],
    "/tasks/0/compensatedBy",
    "remove its member handler",
  ],
  [
    "a compensation with links",
    [node("a", { compensatedBy: "u" }), node("u", after("a"))],
    "/tasks/1/dependencies/0/taskRef",
    "remove its dependency",
  ],
])("refuses %s, and says where", (_what, nodes, path, words) => {
  const { problems } = checkGraph(nodes);
  expect(problems[0]).toMatchObject({ path, reason: "WORKFLOW_INVALID_GRAPH" });
  expect(problems[0]?.message).toContain(words);
});

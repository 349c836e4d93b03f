import { describe, expect, test } from "vitest";
import { compareWorkflows } from "./compare-workflows.ts";

const task = (name: string, after: string[] = [], more: object = {}) => ({
  name,
  ...more,
  dependencies: after.map((taskRef) => ({ taskRef })),
});
const lines = (before: object, after: object) =>
  compareWorkflows({ name: "w", ...before }, { name: "w", ...after }).differences.map(
    ({ change, what, name, members }) => `${change} ${what} ${name}${members.length > 0 ? `: ${members.join(", ")}` : ""}`,
  );

describe("two versions of a workflow", () => {
  test.each<[string, object, object, string[]]>([
    ["the same", { tasks: [task("a")] }, { tasks: [task("a")] }, []],
    ["a task more", { tasks: [task("a")] }, { tasks: [task("a"), task("b", ["a"])] }, ["added task b", "added edge a → b"]],
    ["a task less", { tasks: [task("a"), task("b", ["a"])] }, { tasks: [task("a")] }, ["removed task b", "removed edge a → b"]],
    [
      "a changed value",
      { tasks: [task("a", [], { params: [{ name: "script", value: "x" }] })] },
      { tasks: [task("a", [], { params: [{ name: "script", value: "y" }], timeout: 5 })] },
      ["changed task a: script, timeout"],
    ],
    [
      "a changed condition",
      { tasks: [task("a"), { name: "b", dependencies: [{ taskRef: "a", executionCondition: "success" }] }] },
      { tasks: [task("a"), { name: "b", dependencies: [{ taskRef: "a", executionCondition: "failure" }] }] },
      ["changed edge a → b: on failure"],
    ],
    [
      "only moved on the canvas",
      { tasks: [task("a", [], { annotations: { x: 1 } })] },
      { tasks: [task("a", [], { annotations: { x: 2 } })] },
      [],
    ],
    [
      "parameters",
      { params: [{ name: "p", default: 1 }, { name: "q" }] },
      { params: [{ name: "p", default: 2 }, { name: "r" }] },
      ["changed parameter p: default", "added parameter r", "removed parameter q"],
    ],
    ["a member, and null is absent", { timeout: 5, retries: null }, { timeout: 6 }, ["changed member timeout"]],
  ])("%s", (_, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  test("the picture includes removed tasks, too", () => {
    const { graph } = compareWorkflows({ name: "w", tasks: [task("a"), task("b", ["a"])] }, { name: "w", tasks: [task("a")] });
    expect(graph).toEqual({
      nodes: [
        { id: "a", type: "template", change: "same" },
        { id: "b", type: "template", change: "removed" },
      ],
      edges: [{ from: "a", to: "b", condition: "", change: "removed" }],
    });
  });
});

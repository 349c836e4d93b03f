import { describe, expect, test } from "vitest";
import { positionOf } from "../../graph/task-places.ts";
import { bodyOf, type Draft, type DraftTask, draftOf } from "./draft.ts";
import {
  addTask,
  arrange,
  changeEdge,
  connect,
  copyNodes,
  disconnect,
  findTask,
  moveTasks,
  pasteNodes,
  removeNodes,
  renameTask,
  upstreamOf,
  whyNotConnect,
} from "./graph-edits.ts";

const task = (name: string, after: string[] = [], more: Partial<DraftTask> = {}): DraftTask => ({
  name,
  ...(name !== "start" && name !== "end" && { taskRef: "shell" }),
  dependencies: after.map((taskRef) => ({ taskRef, executionCondition: "always" as const })),
  ...more,
});

function draft(...tasks: DraftTask[]): Draft {
  return draftOf({ name: "w", tasks, params: [] });
}
const chain = () => draft(task("start"), task("a", ["start"]), task("b", ["a"]), task("end", ["b"]));
const edges = ({ tasks }: Draft) =>
  tasks.flatMap(({ name, dependencies }) => (dependencies ?? []).map(({ taskRef }) => `${taskRef}>${name}`));

describe("adding", () => {
  test("after a task replaces its unconditional edge to the end", () => {
    const added = addTask(chain(), task("c"), { after: "b" });
    expect(added.name).toBe("c");
    expect(edges(added.draft)).toEqual(["start>a", "a>b", "b>c", "c>end"]);
  });
  test("after a task keeps its conditional edge to the end", () => {
    const added = addTask(changeEdge(chain(), "b", "end", { executionCondition: "failure" }), task("c"), { after: "b" });
    expect(edges(added.draft)).toEqual(["start>a", "a>b", "b>c", "b>end"]);
  });
  test("between two tasks keeps the condition on the first edge and makes space", () => {
    const before = changeEdge(chain(), "a", "b", { executionCondition: "success" });
    const { draft: after } = addTask(before, task("c"), { after: "a", before: "b" });
    expect(edges(after).sort()).toEqual(["a>c", "b>end", "c>b", "start>a"]);
    expect(findTask(after, "c")?.dependencies?.[0]?.executionCondition).toBe("success");
    expect(positionOf(findTask(after, "b")!)!.x).toBeGreaterThan(positionOf(findTask(after, "c")!)!.x);
  });
  test("gives a free name and a free place", () => {
    const { draft: after, name } = addTask(chain(), task("a"), { at: positionOf(findTask(chain(), "a")!)! });
    expect(name).toBe("a-2");
    expect(positionOf(findTask(after, "a-2")!)).not.toEqual(positionOf(findTask(after, "a")!));
  });
});

describe("connecting", () => {
  test.each([
    ["a", "a", /itself/],
    ["b", "start", /start/],
    ["end", "a", /end/],
    ["a", "b", /already/],
    ["b", "a", /cycle/],
    ["a", "gone", /doesn.t exist/],
  ])("%s to %s is refused", (from, to, why) => {
    expect(whyNotConnect(chain(), from, to)).toMatch(why);
    expect(connect(chain(), from, to)).toEqual(chain());
  });
  test("and disconnecting", () => {
    expect(edges(disconnect(connect(chain(), "a", "end"), "b", "end"))).toEqual(["start>a", "a>b", "a>end"]);
  });
  test("a condition can be set and taken away", () => {
    const set = changeEdge(chain(), "a", "b", { decisionCondition: "x" });
    expect(findTask(set, "b")?.dependencies).toEqual([{ taskRef: "a", executionCondition: "always", decisionCondition: "x" }]);
    expect(findTask(changeEdge(set, "a", "b", { decisionCondition: undefined as never }), "b")?.dependencies).toEqual([
      { taskRef: "a", executionCondition: "always" },
    ]);
  });
});

describe("renaming", () => {
  const params = (value: string) => ({ params: [{ name: "script", value }] });
  test.each([
    ["echo $(tasks.a.results.x)", "echo $(tasks.new.results.x)"],
    ["$(task.a.results.x[0]) $(tasks['a'].results.y)", "$(task.new.results.x[0]) $(tasks.new.results.y)"],
    ["$(tasks.ab.results.x) $(params.a) tasks.a.results", "$(tasks.ab.results.x) $(params.a) tasks.a.results"],
  ])("%s becomes %s", (before, after) => {
    const renamed = renameTask(draft(task("start"), task("a", ["start"]), task("b", ["a"], params(before))), "a", "new");
    expect(findTask(renamed, "b")?.params?.[0]?.value).toBe(after);
    expect(findTask(renamed, "b")?.dependencies?.[0]?.taskRef).toBe("new");
  });
  test("to a name with a dot writes brackets", () => {
    const renamed = renameTask(draft(task("a"), task("b", ["a"], params("$(tasks.a.results.x)"))), "a", "v1.2");
    expect(findTask(renamed, "b")?.params?.[0]?.value).toBe("$(tasks['v1.2'].results.x)");
  });
  test("follows in lists", () => {
    const renamed = renameTask(draft(task("a"), task("b", ["a"], { forEach: { items: "$(tasks.a.results.l)" } })), "a", "c");
    expect(findTask(renamed, "b")?.forEach?.items).toBe("$(tasks.c.results.l)");
  });
  test.each(["b", "", "  ", "a"])("to %j changes nothing", (to) => {
    expect(renameTask(chain(), "a", to)).toEqual(chain());
  });
});

describe("removing", () => {
  test("removes the edges too, but never start and end", () => {
    expect(edges(removeNodes(chain(), new Set(["a", "start", "end"])))).toEqual(["b>end"]);
  });
});

describe("copying", () => {
  test("gives unused names, and references between the copies point to the copies", () => {
    const before = draft(task("a"), task("a-2", ["a"], { params: [{ name: "p", value: "$(tasks.a.results.x)" }] }), task("c", ["a-2"]));
    const { draft: after, names } = pasteNodes(before, copyNodes(before, new Set(["a", "a-2"])), () => "id");
    expect(names).toEqual(["a-3", "a-4"]);
    expect(edges(after)).toEqual(["a>a-2", "a-2>c", "a-3>a-4"]);
    expect(findTask(after, "a-4")?.params?.[0]?.value).toBe("$(tasks.a-3.results.x)");
  });
});

describe("places", () => {
  test("a task without one gets one, and those that have one keep it", () => {
    const mixed = draft(task("a", [], { annotations: { "boomerang.io/position": { x: 5, y: 7 } } }), task("b", ["a"]));
    expect(positionOf(findTask(mixed, "a")!)).toEqual({ x: 5, y: 7 });
    expect(positionOf(findTask(mixed, "b")!)!.y).toBeGreaterThan(7);
  });
  test("moving changes only what moved", () => {
    const before = chain();
    const after = moveTasks(before, new Map([["a", { x: 1.4, y: 2 }]]));
    expect(positionOf(findTask(after, "a")!)).toEqual({ x: 1, y: 2 });
    expect(findTask(after, "b")).toBe(findTask(before, "b"));
  });
  test("arranging puts each task to the right of its predecessors", () => {
    const xs = arrange(moveTasks(chain(), new Map([["a", { x: 9000, y: 0 }]]))).tasks.map((each) => positionOf(each)!.x);
    expect(xs).toEqual([...xs].sort((one, other) => one - other));
  });
});

test("all tasks on the paths to a task are upstream of it", () => {
  expect([...upstreamOf(chain(), "end")].sort()).toEqual(["a", "b", "start"]);
});

test("unversioned members are sent only if they were changed", () => {
  const baseline = draftOf({ name: "w", tasks: [], params: [], displayName: "W", labels: { a: "b" }, markdown: "m" });
  expect(bodyOf(baseline, baseline)).toEqual({ name: "w", tasks: [], params: [], markdown: "m" });
  expect(bodyOf({ ...baseline, displayName: "X" }, baseline)).toMatchObject({ displayName: "X" });
});

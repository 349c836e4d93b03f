import { describe, expect, test } from "vitest";
import type { Draft, DraftTask } from "../draft/draft.ts";
import { countNested, nestedDraft, problemsIn, readPath, withNested, writePath } from "./nested-draft.ts";

const leaf = { name: "leaf" } as DraftTask;
const deep = { name: "deep", workflow: { params: [{ name: "p" }], tasks: [leaf] } } as DraftTask;
const group = { name: "a/b", workflow: { tasks: [{ name: "start" }, deep], timeout: 5 } } as DraftTask;
const draft: Draft = { name: "outer", params: [], tasks: [leaf, group] };

describe("a nested workflow of a draft", () => {
  test("is a draft of its own, with places for its tasks", () => {
    expect(nestedDraft(draft, [])).toBe(draft);
    expect(nestedDraft(draft, ["a/b", "deep"])).toMatchObject({ name: "outer", params: [{ name: "p" }], tasks: [{ name: "leaf" }] });
    expect([nestedDraft(draft, ["leaf"]), nestedDraft(draft, ["no"]), nestedDraft(draft, ["a/b", "deep", "leaf"])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([countNested(group), countNested(leaf)]).toEqual([1, undefined]);
  });

  test("is changed in its place, and nothing else is", () => {
    const inner = nestedDraft(draft, ["a/b", "deep"]) as Draft;
    const changed = withNested(draft, ["a/b", "deep"], { ...inner, tasks: [...inner.tasks, { name: "more" }] as DraftTask[] });
    expect(changed.tasks[0]).toBe(leaf);
    expect(nestedDraft(changed, ["a/b"])).toMatchObject({ timeout: 5 });
    expect(nestedDraft(changed, ["a/b", "deep"])?.tasks.map(({ name }) => name)).toEqual(["leaf", "more"]);
    expect(JSON.stringify(changed)).not.toContain('"workflow":{"name"');
  });

  test("has its own problems, at their positions in it", () => {
    const problems = [
      { severity: "error", reason: "R", node: "a/b", path: "/tasks/1/workflow/tasks/1/workflow/tasks/0/taskRef", message: "x" },
      { severity: "error", reason: "R", node: "a/b", path: "/tasks/1/params", message: "y" },
    ] as Parameters<typeof problemsIn>[2];
    expect(problemsIn(draft, ["a/b", "deep"], problems)).toEqual([
      { severity: "error", reason: "R", node: "leaf", path: "/tasks/0/taskRef", message: "x" },
    ]);
    expect(problemsIn(draft, ["a/b"], problems)).toMatchObject([{ node: "deep" }]);
  });

  test.each([[[]], [["a"]], [["a/b", "~1", "c d"]]])("%j is a path in an address", (path) => {
    expect(readPath(writePath(path))).toEqual(path);
  });
});

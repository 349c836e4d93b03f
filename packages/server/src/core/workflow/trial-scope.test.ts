import { expect, test } from "vitest";
import { scopeOfTrial } from "./trial-scope.ts";

const task = (name: string, before: string[], uses: string[] = []) => ({
  ...{ name, taskRef: "shell", dependencies: before.map((taskRef) => ({ taskRef })) },
  params: uses.map((used, index) => ({ name: `p${index}`, value: `$(tasks.${used}.results.out)` })),
});
const upTo = (tasks: ReturnType<typeof task>[], last: string, ...pinned: string[]) => {
  const scope = scopeOfTrial({ name: "w", tasks }, { upTo: last, pinned: Object.fromEntries(pinned.map((name) => [name, {}])) });
  return Object.fromEntries((scope.input.tasks ?? []).map(({ name, dependencies }) => [name, dependencies?.map(({ taskRef }) => taskRef)]));
};
/** a -> b -> c -> d, and x -> d. */
const chain = [task("a", ["start"]), task("b", ["a"], ["a"]), task("c", ["b"], ["b"]), task("x", ["start"]), task("d", ["c", "x"], ["c"])];

test("up to a task, what leads only to pinned tasks is left out", () => {
  expect(Object.keys(upTo(chain, "d"))).toEqual(["a", "b", "c", "x", "d"]);
  expect(upTo(chain, "d", "c")).toEqual({ c: ["start"], x: ["start"], d: ["c", "x"] });
  expect(upTo(chain, "d", "b")).toEqual({ b: ["start"], c: ["b"], x: ["start"], d: ["c", "x"] });
  expect(Object.keys(upTo(chain, "d", "b", "c"))).toEqual(["c", "x", "d"]);
  // The task itself runs, even if it is pinned.
  expect(Object.keys(upTo(chain, "c", "c"))).toEqual(["a", "b", "c"]);
  expect(Object.keys(upTo(chain, "c", "d", "nothing"))).toEqual(["a", "b", "c"]);
});

test("what is needed on another way is kept, and does not bring back the rest", () => {
  const shared = [task("a", ["start"]), task("side", ["start"]), task("b", ["a", "side"]), task("c", ["a"]), task("d", ["b", "c"])];
  expect(upTo(shared, "d", "b")).toEqual({ a: ["start"], b: ["start"], c: ["a"], d: ["b", "c"] });
});

test("a result that is used behind a pinned task is there", () => {
  const uses = [task("a", ["start"]), task("b", ["a"]), task("c", ["b"]), task("d", ["c"], ["a"])];
  expect(upTo(uses, "d", "c")).toEqual({ a: ["start"], b: ["a"], c: ["b"], d: ["c"] });
  expect(upTo(uses, "d", "c", "a")).toEqual({ a: ["start"], b: ["a"], c: ["b"], d: ["c"] });
  expect(upTo(uses, "d", "b")).toEqual({ a: ["start"], b: ["a"], c: ["b"], d: ["c"] });
});

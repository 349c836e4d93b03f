import { expect, test } from "vitest";
import type { Draft } from "./draft.ts";
import { mergeDrafts } from "./merge-drafts.ts";

const task = (name: string, more: object = {}) => ({
  name,
  taskRef: "execute-shell",
  params: [{ name: "script", value: "true" }],
  ...more,
});
const base = {
  name: "w",
  markdown: "as it was",
  params: [{ name: "region", type: "text", default: "eu" }],
  labels: { stage: "test" },
  tasks: [task("a"), task("b", { dependencies: [{ taskRef: "a" }] }), task("c")],
} as Draft;
type Change = (draft: Draft) => object;
const onTask =
  (name: string, more: object): Change =>
  (draft) => ({ tasks: draft.tasks.map((one) => (one.name === name ? { ...one, ...more } : one)) });
const without =
  (name: string): Change =>
  (draft) => ({ tasks: draft.tasks.filter((one) => one.name !== name) });
const withTask =
  (name: string, at: number): Change =>
  (draft) => ({ tasks: draft.tasks.toSpliced(at, 0, task(name) as never) });
const changed = (first: Change, second: Change = () => ({})): Draft => {
  const draft = { ...base, ...first(base) };
  return { ...draft, ...second(draft) };
};
const merge = (mine: Draft, theirs: Draft) => mergeDrafts(base, mine, theirs);
const names = ({ draft }: { draft: Draft }) => draft.tasks.map(({ name }) => name);

test("what only one side has changed is taken from that side", () => {
  const theirs = changed(() => ({ markdown: "theirs" }), onTask("a", { timeout: 5 }));
  expect(merge(base, theirs)).toEqual({ draft: theirs, conflicts: [] });
  expect(merge(theirs, base)).toEqual({ draft: theirs, conflicts: [] });
  expect(merge(theirs, structuredClone(theirs))).toEqual({ draft: theirs, conflicts: [] });
});

test.each<[string, Change, Change]>([
  ["other tasks", onTask("a", { timeout: 5 }), onTask("b", { retries: 2 })],
  ["other members of one task", onTask("a", { timeout: 5 }), onTask("a", { retries: 2 })],
  [
    "other parameters of one task",
    onTask("a", { params: [{ name: "script", value: "false" }] }),
    onTask("a", {
      params: [
        { name: "script", value: "true" },
        { name: "shell", value: "bash" },
      ],
    }),
  ],
  ["the graph and the parameters of the workflow", withTask("d", 3), () => ({ params: [...base.params, { name: "day" }] })],
  ["other labels", () => ({ labels: { stage: "test", mine: "1" } }), () => ({ labels: { stage: "live" } })],
  ["a removal and a change elsewhere", without("c"), onTask("a", { timeout: 5 })],
  ["new links of one task", onTask("c", { dependencies: [{ taskRef: "a" }] }), onTask("c", { dependencies: [{ taskRef: "b" }] })],
])("changes of %s are both kept", (_, mine, theirs) => {
  const one = merge(changed(mine), changed(theirs));
  const other = merge(changed(theirs), changed(mine));
  expect(one.conflicts).toEqual([]);
  expect(other.conflicts).toEqual([]);
  const sorted = (draft: Draft) =>
    JSON.stringify(draft, (_key, value) =>
      Array.isArray(value) ? [...value].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))) : value,
    );
  expect(JSON.parse(sorted(one.draft))).toEqual(JSON.parse(sorted(other.draft)));
  expect(merge(one.draft, changed(theirs)), "what was merged is on top of theirs").toEqual({ draft: one.draft, conflicts: [] });
});

test("tasks that both sides added keep the order of each side, as far as both agree", () => {
  expect(names(merge(changed(withTask("mine", 1)), changed(withTask("theirs", 3))))).toEqual(["a", "mine", "b", "c", "theirs"]);
  expect(names(merge(changed(without("b")), changed(withTask("theirs", 0))))).toEqual(["theirs", "a", "c"]);
});

test.each<[string, Change, Change, string[]]>([
  ["another value", onTask("a", { timeout: 5 }), onTask("a", { timeout: 7 }), ["task a › timeout"]],
  [
    "a parameter of a task",
    onTask("a", { params: [{ name: "script", value: "1" }] }),
    onTask("a", { params: [{ name: "script", value: "2" }] }),
    ["task a › parameter script › value"],
  ],
  ["a removal of what they changed", without("a"), onTask("a", { timeout: 7 }), ["task a"]],
  ["a change of what they removed", onTask("a", { timeout: 7 }), without("a"), ["task a"]],
  [
    "an annotation",
    onTask("a", { annotations: { owner: "x" } }),
    onTask("a", { annotations: { owner: "y" } }),
    ["task a › annotations › owner"],
  ],
  ["the description", () => ({ markdown: "1" }), () => ({ markdown: "2" }), ["markdown"]],
])("%s is a conflict, and mine is in the draft", (_, mine, theirs, conflicts) => {
  const merged = merge(changed(mine), changed(theirs, onTask("c", { retries: 1 })));
  expect(merged.conflicts).toEqual(conflicts);
  expect(merged.draft).toEqual(changed(mine, onTask("c", { retries: 1 })));
});

test("the position of a task is never a conflict", () => {
  const at = (x: number) => onTask("a", { annotations: { "millrace.dev/position": { x, y: 0 } } });
  expect(merge(changed(at(1)), changed(at(2)))).toEqual({ draft: changed(at(1)), conflicts: [] });
});

test("lists whose things can't be told apart are taken as a whole", () => {
  const twice = () => ({ params: [{ name: "x" }, { name: "x" }] });
  expect(
    merge(
      changed(twice),
      changed(() => ({ params: [] })),
    ).conflicts,
  ).toEqual(["params"]);
});

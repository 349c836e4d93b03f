import { expect, test } from "vitest";
import { draftOf } from "../draft/draft.ts";
import { changeTask, moveTasks, removeNodes, renameTask } from "../draft/graph-edits.ts";
import { followDraft, type KeptPins, pinStamp, stalePins } from "./pins.ts";

const shell = (name: string, after: string, script = "true") => ({
  ...{ name, taskRef: "shell", dependencies: [{ taskRef: after }] },
  params: [{ name: "script", value: script }],
});
const draft = draftOf({ name: "w", tasks: [{ name: "start" }, shell("a", "start"), shell("b", "a"), shell("c", "start")] });
const pinned = (...names: string[]): KeptPins =>
  Object.fromEntries(names.map((name) => [name, { results: [{ name: "out", value: name }], stamp: pinStamp(draft, name) }]));
const slower = (name: string) => changeTask(draft, name, (task) => ({ ...task, timeout: 3 }));
const staleOf = (now: typeof draft, pins: KeptPins) => [...stalePins(now, pins)];

test("a pin is stale once its task or one before it has been changed, not if a task was only moved, and not after an undo", () => {
  const pins = pinned("a", "b", "c");
  expect(staleOf(draft, pins)).toEqual([]);
  expect(staleOf(slower("a"), pins)).toEqual(["a", "b"]);
  expect(staleOf(slower("b"), pins)).toEqual(["b"]);
  expect(staleOf(moveTasks(draft, new Map([["a", { x: 900, y: 900 }]])), pins)).toEqual([]);
  expect(staleOf(draft, { a: { results: [] } }), "of a tab that is older").toEqual(["a"]);
});

test("a renamed task takes its pin along, also when the rename is undone, and neither it nor those behind it become stale", () => {
  const now = renameTask(draft, "a", "first");
  const moved = followDraft(pinned("a", "b"), draft, now);
  expect(Object.keys(moved)).toEqual(["first", "b"]);
  expect(staleOf(now, moved)).toEqual([]);
  const back = followDraft(moved, now, draft);
  expect([Object.keys(back), staleOf(draft, back)]).toEqual([["a", "b"], []]);
  const changed = slower("a");
  const renamed = renameTask(changed, "a", "first");
  expect(staleOf(renamed, followDraft(pinned("a", "c"), changed, renamed)), "what was stale stays so").toEqual(["first"]);
});

test("a new task doesn't get the pin of a removed one with its name; a removal that is undone brings it back", () => {
  const pins = pinned("b");
  const without = removeNodes(draft, new Set(["b"]));
  expect(followDraft(pins, draft, without)).toBe(pins);
  expect(followDraft(pins, without, draft)).toBe(pins);
  const other = { ...without, tasks: [...without.tasks, shell("b", "start", "date")] };
  expect(followDraft(pins, without, other)).toEqual({});
});

import { expect, test } from "vitest";
import { type Draft, draftOf } from "./draft.ts";
import { type HistoryAction, isDirty, newHistory, reduceHistory } from "./history.ts";

const draft = (markdown: string): Draft => draftOf({ name: "w", tasks: [], params: [], markdown });
const write = (markdown: string, key?: string): HistoryAction => ({
  type: "change",
  change: (before) => ({ ...before, markdown }),
  ...(key !== undefined && { key }),
});
const after = (...actions: HistoryAction[]) => actions.reduce(reduceHistory, newHistory(draft("")));
const text = (...actions: HistoryAction[]) => after(...actions).present["markdown"];

test.each<[string, HistoryAction[], string]>([
  ["undo takes the last change back", [write("a"), write("b"), { type: "undo" }], "a"],
  ["redo brings it again", [write("a"), write("b"), { type: "undo" }, { type: "redo" }], "b"],
  ["a new change ends what could be redone", [write("a"), { type: "undo" }, write("b"), { type: "redo" }], "b"],
  ["typing in one field is one step", [write("x"), write("a", "f"), write("ab", "f"), write("abc", "f"), { type: "undo" }], "x"],
  ["typing in another field is another one", [write("a", "f"), write("b", "g"), { type: "undo" }], "a"],
  ["with nothing to take back it stays", [{ type: "undo" }, { type: "redo" }], ""],
])("%s", (_, actions, expected) => {
  expect(text(...actions)).toBe(expected);
});

test("it is dirty while it differs from what is saved, and not after undoing", () => {
  expect(isDirty(after())).toBe(false);
  expect(isDirty(after(write("a")))).toBe(true);
  expect(isDirty(after(write("a"), write("")))).toBe(false);
  expect(isDirty(after(write("a"), { type: "undo" }))).toBe(false);
});

test("what was changed while it was being saved stays, and is dirty", () => {
  const sent = after(write("a"));
  const typed = reduceHistory(sent, write("ab"));
  const saved = reduceHistory(typed, { type: "saved", sent: sent.present, draft: draft("a") });
  expect(saved.present["markdown"]).toBe("ab");
  expect(isDirty(saved)).toBe(true);
  expect(isDirty(reduceHistory(sent, { type: "saved", sent: sent.present, draft: draft("a") }))).toBe(false);
});

test("changes saved by others are merged under the user's own, also in undo and redo", () => {
  const theirs = { ...draft(""), description: "theirs" };
  const steps = after(write("a"), write("b"), write("c"), { type: "undo" }, { type: "rebase", onto: theirs });
  const seen = (history: typeof steps) => [history.present["markdown"], history.present["description"]];
  expect(seen(steps)).toEqual(["b", "theirs"]);
  expect(isDirty(steps)).toBe(true);
  const undone = [1, 2].reduce((history) => reduceHistory(history, { type: "undo" }), steps);
  expect(seen(undone)).toEqual(["", "theirs"]);
  expect(isDirty(undone)).toBe(false);
  expect(seen(reduceHistory(steps, { type: "redo" }))).toEqual(["c", "theirs"]);
});

test("loading clears the history", () => {
  expect(text(write("a"), { type: "load", draft: draft("z") }, { type: "undo" })).toBe("z");
});

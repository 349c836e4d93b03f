import { expect, test } from "vitest";
import { layoutOf } from "../../graph/task-places.ts";
import type { Draft, DraftTask } from "./draft.ts";
import { removeNodes, renameTask, whyNotConnect } from "./graph-edits.ts";
import { possibleCompensations, setCompensation, setHandler } from "./turn-edits.ts";

const task = (name: string, ...after: string[]): DraftTask => ({
  name,
  type: "script",
  dependencies: after.map((taskRef) => ({ taskRef })),
});
const draftOf = (...tasks: DraftTask[]) => ({ tasks }) as Draft;
const links = (draft: Draft) =>
  Object.fromEntries(draft.tasks.map(({ name, dependencies }) => [name, dependencies?.map((one) => one.taskRef)]));
const marker = (name: "start" | "end", ...after: string[]): DraftTask => ({ ...task(name, ...after), type: name });
const pays = draftOf(marker("start"), task("pay", "start"), task("refund", "start"), task("send", "pay"), marker("end", "send", "refund"));

test("a task that becomes a handler has no links with the flow, and is placed below it", () => {
  const draft = setHandler(pays, "refund", "finally");
  expect(links(draft)).toEqual({ start: [], pay: ["start"], refund: [], send: ["pay"], end: ["send"] });
  expect(whyNotConnect(draft, "pay", "refund")).toBeDefined();
  expect(setHandler(draft, "refund", null).tasks.find(({ name }) => name === "refund")?.handler).toBeNull();
});

test("a compensation is placed beside the flow, and undoes only one task", () => {
  const draft = setCompensation(pays, "pay", "refund");
  expect(links(draft)).toEqual({ start: [], pay: ["start"], refund: [], send: ["pay"], end: ["send"] });
  expect(possibleCompensations(draft, "pay")).toEqual(["refund", "send"]);
  expect(possibleCompensations(draft, "send")).toEqual([]);
  const moved = setCompensation(draft, "send", "refund");
  expect(moved.tasks.map(({ compensatedBy }) => compensatedBy ?? null)).toEqual([null, null, null, "refund", null]);
});

test("a renamed compensation stays connected, and a removed one undoes nothing", () => {
  const draft = setCompensation(pays, "pay", "refund");
  const compensation = (of: Draft) => of.tasks.find(({ name }) => name === "pay")?.compensatedBy;
  expect(compensation(renameTask(draft, "refund", "give back"))).toBe("give back");
  expect(compensation(removeNodes(draft, new Set(["refund"])))).toBeNull();
});

test("handlers and compensations are laid out below the flow, each kind in its lane", () => {
  const draft = setHandler(setCompensation(draftOf(...pays.tasks, task("clean", "start")), "pay", "refund"), "clean", "finally");
  const places = layoutOf(draft.tasks);
  const at = (name: string) => places.get(name) ?? { x: -1, y: -1 };
  expect(at("refund").x).toBe(at("pay").x);
  expect(at("refund").y).toBeGreaterThan(at("send").y + 56);
  expect(at("clean").y).toBeGreaterThan(at("refund").y + 56);
});

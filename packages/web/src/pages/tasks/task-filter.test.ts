import { expect, test } from "vitest";
import type { Task } from "../../api/queries/tasks.ts";
import { anyTask, matchesFilter, type TaskFilter } from "./task-filter.ts";

const task = {
  name: "send-mail",
  displayName: "Send a Mail",
  description: "To one person",
  type: "template",
  status: "active",
  version: 1,
} as Task;

test.each<[string, Partial<TaskFilter>, boolean]>([
  ["nothing", {}, true],
  ["a word of the name", { q: "mail" }, true],
  ["words of name and description in any case", { q: "PERSON send" }, true],
  ["a word that is nowhere", { q: "mail letter" }, false],
  ["its missing category", { category: "Without category" }, true],
  ["another category", { category: "Talk" }, false],
  ["another type", { type: "script" }, false],
  ["another status", { status: "inactive" }, false],
])("a task is found by %s", (_, filter, isFound) => {
  expect(matchesFilter(task, { ...anyTask, ...filter })).toBe(isFound);
});

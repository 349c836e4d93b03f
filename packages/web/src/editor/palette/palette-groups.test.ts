import { expect, test } from "vitest";
import type { TaskDefinition } from "../../api/queries/task/task-catalog.ts";
import { groupTasks } from "./palette-groups.ts";

const task = (name: string, more: Partial<TaskDefinition> = {}): TaskDefinition => ({ name, status: "active", isOfTeam: false, ...more });
const tasks = [
  task("sleep", { category: "Workflow", description: "Waiting for a time" }),
  task("wait-for-event", { category: "Workflow" }),
  task("shell", { category: "Utilities" }),
  task("mine", { isOfTeam: true }),
  task("old", { status: "inactive" }),
];

test.each<[string, [string, string[]][]]>([
  [
    "",
    [
      ["Team", ["mine"]],
      ["Utilities", ["shell"]],
      ["Workflow", ["sleep", "wait-for-event"]],
    ],
  ],
  ["WAIT", [["Workflow", ["wait-for-event", "sleep"]]]],
  ["wait time", [["Workflow", ["sleep"]]]],
  ["old", []],
])("a search for %j finds by category, titles first", (search, expected) => {
  expect(groupTasks(tasks, search).map(({ category, tasks: found }) => [category, found.map(({ name }) => name)])).toEqual(expected);
});

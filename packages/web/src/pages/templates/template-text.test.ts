import { expect, test } from "vitest";
import { placeFaults, readTemplateText, templateText } from "./template-text.ts";

const template = {
  ...{
    id: "1",
    name: "ask",
    version: 3,
    creationDate: "now",
    changelog: {},
    upgradesAvailable: true,
    status: "active",
    triggers: {},
    labels: {},
  },
  ...{
    description: "Asks",
    tasks: [
      { name: "start", type: "start", upgradesAvailable: false },
      { name: "one", taskRef: "sleep", params: [] },
    ],
  },
};

test("computed and empty members, and those that only a workflow has, are left out", () => {
  const read = readTemplateText(templateText(template));
  expect(read).toEqual({
    template: {
      name: "ask",
      description: "Asks",
      tasks: [
        { name: "start", type: "start" },
        { name: "one", taskRef: "sleep" },
      ],
    },
  });
});

test("a workflow becomes a template under another name", () => {
  expect(readTemplateText(templateText(template, "other"))).toMatchObject({ template: { name: "other" } });
});

test.each([
  ["/tasks/1/taskRef", 7],
  ["/tasks/1/params/0", 6],
  ["/description", 2],
  ["/nothing", undefined],
  ["", undefined],
])("a fault at %s is shown at line %s", (path, line) => {
  expect(placeFaults(templateText(template), [{ path, message: "is wrong" }])[0]?.line).toBe(line);
});

test("a fault that names only a task is shown at the task", () => {
  const [fault] = placeFaults(templateText(template), [{ path: "", message: "Task one refers to sleeep: there is no such global task" }]);
  expect(fault?.line).toBe(6);
});

test.each([
  ["name: [", 1],
  ["name: a\nname: b\n", 2],
  ["only words", 1],
])("a text that can't be parsed is reported with its line: %j", (text, line) => {
  const read = readTemplateText(text);
  expect("faults" in read && read.faults[0]?.line).toBe(line);
});

import { describe, expect, test } from "vitest";
import { nestedDocument, nestedFaults, nestedSecretFaults } from "./nested-workflow.ts";
import { documentTask, hasNested } from "./workflow-document.ts";

const task = { name: "work", taskRef: "work" };

/** This many workflows nested inside each other. */
// biome-ignore lint/suspicious/noExplicitAny: it contains itself
const deep = (levels: number): any => (levels === 0 ? task : { name: "group", workflow: { tasks: [deep(levels - 1)] } });

describe("what is wrong with nested workflows", () => {
  test.each<[string, object, string[]]>([
    ["none", task, []],
    ["null", { ...task, workflow: null }, []],
    ["one", deep(1), []],
    ["five in each other", deep(5), []],
    ["six in each other", deep(6), [`${"/tasks/0/workflow".repeat(5)}/tasks/0/workflow`]],
    ["a hundred in each other", deep(100), [`${"/tasks/0/workflow".repeat(5)}/tasks/0/workflow`]],
    [
      "only start and end",
      { name: "a", workflow: { tasks: [{ name: "start" }, { name: "x", type: "end" }] } },
      ["/tasks/0/workflow/tasks"],
    ],
    ["no tasks", { name: "a", workflow: {} }, ["/tasks/0/workflow/tasks"]],
    ["a limit of its own", { name: "a", workflow: { tasks: [task], concurrency: { max: 1 } } }, ["/tasks/0/workflow/concurrency"]],
    ["a member that is null", { name: "a", workflow: { tasks: [task], triggers: null } }, []],
    [
      "a workspace of the workflow",
      { name: "a", workflow: { tasks: [task], workspaces: [{ name: "workflow" }] } },
      ["/tasks/0/workflow/workspaces/0"],
    ],
    ["a workspace of the run", { name: "a", workflow: { tasks: [task], workspaces: [{ name: "workflowrun" }] } }, []],
    ["another workflow", { ...deep(1), params: [{ name: "workflowRef", value: "x" }] }, ["/tasks/0/params/0"]],
    ["an empty reference", { ...deep(1), params: [{ name: "workflowRef", value: "" }] }, []],
    ["a wait", { ...deep(1), params: [{ name: "wait", value: "TRUE" }] }, []],
    ["no wait", { ...deep(1), params: [{ name: "wait", value: "$(params.w)" }] }, ["/tasks/0/params/0"]],
  ])("%s", (_, one, paths) => {
    expect(nestedFaults({ tasks: [one as typeof task] }).map(({ path }) => path)).toEqual(paths);
  });

  test("the number of all tasks together", () => {
    const group = (count: number) => ({ name: "group", workflow: { tasks: Array.from({ length: count }, () => task) } });
    expect(nestedFaults({ tasks: [group(10_001)] })).toEqual([]);
    expect(nestedFaults({ tasks: [group(5_000), group(5_001)] })).toMatchObject([{ path: "/tasks" }]);
  });

  test("secrets that are written in it, and no references to some", () => {
    const params = [
      { name: "key", type: "password" },
      { name: "given", type: "password", default: "hunter22" },
      { name: "open", default: "x" },
    ];
    const tasks = [
      documentTask({
        name: "a",
        params: [
          { name: "token", value: "hunter22" },
          { name: "other", value: "x" },
        ],
      }),
    ];
    const referring = documentTask({ name: "b", params: [{ name: "token", value: "$(params.key)" }] });
    const faults = nestedSecretFaults({ params, tasks: [...tasks, referring] }, () => new Set(["token"]));
    expect(faults.map(({ path }) => path)).toEqual(["/params/1", "/tasks/0/params/0/value"]);
    expect(JSON.stringify(faults)).not.toContain("hunter22");
  });
});

test("a nested workflow of a draft is read as far as it is there", () => {
  expect(nestedDocument({})).toBeUndefined();
  expect(nestedDocument(JSON.parse('{ "workflow": null }'))).toBeUndefined();
  expect(nestedDocument(JSON.parse('{ "workflow": { "tasks": [{ "name": "a" }] } }'))).toEqual({
    tasks: [{ name: "a", params: [], dependencies: [] }],
    params: [],
    workspaces: [],
  });
  expect([null, "text", {}].map((workflow) => hasNested({ workflow }))).toEqual([false, false, true]);
});

test("a task with a nested workflow uses run-workflow unless it says otherwise", () => {
  expect(documentTask(deep(1)).taskRef).toBe("run-workflow");
  expect(documentTask({ ...deep(1), taskRef: "mine" }).taskRef).toBe("mine");
});

import type { WorkflowInput, WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { describe, expect, test } from "vitest";
import { documentOf } from "./workflow-document.ts";

const write = (rest: Partial<WorkflowInput>) => documentOf({ name: "w", ...rest });
const writeTask = (rest: Partial<WorkflowTask>) => write({ tasks: [{ name: "a", ...rest }] }).tasks[0];

test("the document has what is versioned, and nothing of what all versions share or what is computed", () => {
  const shared = {
    displayName: "W",
    status: "active",
    icon: "i",
    description: "d",
    labels: { a: "b" },
    annotations: {},
    triggers: {},
  } as const;
  const computed = { id: "1", version: 7, creationDate: "2024-01-01", changelog: { reason: "r" }, upgradesAvailable: true };
  const document = write({ ...shared, ...computed, timeout: 5, retries: 1, markdown: "# W", unknown: { deep: [1] } });
  expect(document).toEqual({ timeout: 5, retries: 1, markdown: "# W", unknown: { deep: [1] }, tasks: [], params: [], workspaces: [] });
});

test("null means absent, a timeout of 0 means none, and unknown members keep their null", () => {
  expect(write({ timeout: 0, retries: null, markdown: null, tasks: null, params: null, unknown: null })).toEqual({
    tasks: [],
    params: [],
    workspaces: [],
    unknown: null,
  });
});

test("a task is stored with its lists and maps, without nulls and without what is computed", () => {
  expect(writeTask({ type: null, taskRef: "", taskVersion: null, timeout: 0, forEach: null, upgradesAvailable: true, mine: 1 })).toEqual({
    name: "a",
    mine: 1,
    dependencies: [],
    labels: {},
    annotations: {},
    params: [],
    results: [],
  });
});

test("nulls inside retry and forEach do not hide their defaults", () => {
  const task = writeTask({ retry: { count: 2, backoffMs: null, on: null }, forEach: { items: [1], parallel: null } });
  expect(task).toMatchObject({ retry: { count: 2 }, forEach: { items: [1] } });
  expect(Object.keys(task?.retry ?? {})).toEqual(["count"]);
});

test("an edge is unconditional by default, and keeps unknown members", () => {
  const dependencies = [
    { taskRef: "x" },
    { taskRef: "y", executionCondition: null, decisionCondition: null },
    { taskRef: "z", executionCondition: "failure", decisionCondition: "", style: "dashed" },
  ] as const;
  expect(writeTask({ dependencies: [...dependencies] })?.dependencies).toEqual([
    { taskRef: "x", executionCondition: "always" },
    { taskRef: "y", executionCondition: "always" },
    { taskRef: "z", executionCondition: "failure", decisionCondition: "", style: "dashed" },
  ]);
});

describe("a workspace", () => {
  test.each([
    ["of a known type bears its name", { name: "x", type: "workflow" }, { name: "workflow", type: "workflow", optional: false }],
    ["with the name of a known type is of it", { name: "workflowrun" }, { name: "workflowrun", type: "workflowrun", optional: false }],
    ["of another type stays unchanged", { name: "x", type: "mine", optional: true }, { name: "x", type: "mine", optional: true }],
    [
      "keeps what it says",
      {
        name: "x",
        type: "workflow",
        optional: true,
        spec: { size: "2Gi", mountPath: "/w", accessMode: "ReadWriteOnce", className: "fast" },
      },
      {
        name: "workflow",
        type: "workflow",
        optional: false,
        spec: { size: "2Gi", mountPath: "/w", accessMode: "ReadWriteOnce", className: "fast" },
      },
    ],
  ])("%s", (_, given, stored) => {
    expect(write({ workspaces: [given] }).workspaces).toEqual([stored]);
  });
});

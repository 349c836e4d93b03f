import { expect, test } from "vitest";
import { calledParams, resultsOfCalled } from "./called-params.ts";

/** The fields of a task that runs another workflow. */
const declared = [
  { name: "workflowRef", label: "Workflow", type: "text" },
  { name: "wait", type: "boolean" },
];
const called = {
  workflows: [{ key: "bill", value: "Bill" }],
  versions: [
    { key: "2", value: "Version 2" },
    { key: "1", value: "Version 1" },
  ],
  chosen: { ref: "bill", version: "" },
  params: [
    { name: "customer", type: "text", required: true },
    { name: "wait", type: "text" },
  ],
};
const namesOf = (params: readonly { name: string }[]) => params.map(({ name }) => name);

test("are a choice of workflows and versions, and the parameters of the workflow that is chosen", () => {
  const params = calledParams(declared, called);
  expect(namesOf(params)).toEqual(["workflowRef", "workflowVersion", "wait", "customer"]);
  expect(params[0]).toMatchObject({ type: "select", options: [{ key: "bill", value: "Bill" }] });
  expect(params[1]).toMatchObject({ type: "select", placeholder: "latest", options: [{ key: "2" }, { key: "1" }] });
  expect(params[3]).toEqual({ name: "customer", type: "text", required: true });
});

test("keep a workflow and a version that no longer exist", () => {
  const params = calledParams(declared, { ...called, chosen: { ref: "gone", version: "9" } });
  expect(params[0]?.options).toEqual([
    { key: "bill", value: "Bill" },
    { key: "gone", value: "gone" },
  ]);
  expect(params[1]?.options?.at(-1)).toEqual({ key: "9", value: "9" });
});

test("are text fields if there is nothing to choose from", () => {
  const params = calledParams(declared, { workflows: [], versions: [], chosen: { ref: "", version: "" }, params: [] });
  expect(params.map(({ name, type }) => [name, type])).toEqual([
    ["workflowRef", "text"],
    ["workflowVersion", undefined],
    ["wait", "boolean"],
  ]);
});

test("the results of the workflow are those that it declares, or else what its tasks set", () => {
  const tasks = [
    { name: "a", type: "setwfproperty", params: [{ name: "output", value: "total" }] },
    { name: "b", type: "setwfproperty", params: [{ name: "output", value: "$(params.which)" }] },
    { name: "c", type: "script", params: [{ name: "output", value: "no" }] },
  ] as Parameters<typeof resultsOfCalled>[0]["tasks"];
  expect(resultsOfCalled({ tasks })).toEqual([{ name: "total" }]);
  expect(resultsOfCalled({ tasks, results: [{ name: "sum", type: "number" }] })).toEqual([{ name: "sum", type: "number" }]);
});

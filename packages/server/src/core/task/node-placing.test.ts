import { expect, test } from "vitest";
import type { PlanNode } from "../workflow/plan.ts";
import { nodePlacing } from "./place-task.ts";
import { placingFaults, readLabels, readNodeSelector } from "./tekton/annotations/placing-annotations.ts";

const node = (annotations: Record<string, unknown>, ofTask: Record<string, unknown> = {}) =>
  ({ annotations, task: { annotations: ofTask } }) as unknown as PlanNode;

test("annotations say where a node runs, its own before those of its task", () => {
  const ofTask = { "millrace.dev/runs-on": "linux", "millrace.dev/network": "host", "millrace.dev/node-selector": "disk=ssd" };
  expect(nodePlacing(node({ "millrace.dev/runs-on": "gpu, linux gpu" }, ofTask))).toEqual({
    executor: undefined,
    runsOn: ["gpu", "linux"],
    nodeSelector: { disk: "ssd" },
    network: "host",
    fault: undefined,
  });
  expect(nodePlacing(node({ "millrace.dev/runs-on": "" }, ofTask)).runsOn).toEqual([]);
  expect(nodePlacing(node({}))).toEqual({ executor: undefined, runsOn: [], nodeSelector: undefined, network: undefined, fault: undefined });
  expect(nodePlacing(node({ "millrace.dev/network": "outbound" }, ofTask)).network).toBe("outbound");
  expect(nodePlacing(node({ "millrace.dev/network": "all" })).fault).toContain('"all"; it must be one of none, outbound, host');
});

test.each<[unknown, string[] | undefined]>([
  ["linux", ["linux"]],
  [" a,b  c,\n d ", ["a", "b", "c", "d"]],
  ["zone:eu-1,gpu=a100", ["zone:eu-1", "gpu=a100"]],
  ["", []],
  ["$(params.where)", undefined],
  ["a;b", undefined],
  ["-a", undefined],
  ["x".repeat(101), undefined],
  [["a"], undefined],
  [7, undefined],
])("labels: %j is %j", (value, expected) => {
  expect(readLabels(value)).toEqual(expected);
});

test.each<[unknown, Record<string, string> | undefined]>([
  ["disk=ssd, pool=big", { disk: "ssd", pool: "big" }],
  ["kubernetes.io/arch=arm64", { "kubernetes.io/arch": "arm64" }],
  ["empty=", { empty: "" }],
  ["", {}],
  ["disk", undefined],
  ["disk=a b", undefined],
  ["Kubernetes.IO/x=a", undefined],
  ["a=$(params.b)", undefined],
  ["__proto__=a", undefined],
  [{ disk: "ssd" }, undefined],
])("node selector: %j is %j", (value, expected) => {
  expect(readNodeSelector(value)).toEqual(expected);
});

test("what is wrong is reported by its place, with what would be right", () => {
  const annotations = { "millrace.dev/runs-on": "a;b", "millrace.dev/executor": "vm", "millrace.dev/network": "none", other: "x" };
  expect(placingFaults(annotations, "/annotations")).toEqual([
    { path: "/annotations/millrace.dev~1executor", message: 'is "vm"; it must be one of process, container, kubernetes, external' },
    {
      path: "/annotations/millrace.dev~1runs-on",
      message: 'is "a;b"; it must be labels of workers with commas or blanks between them, such as linux, gpu',
    },
  ]);
});

import type { TaskInput } from "@millrace/contract/task/task.ts";
import { describe, expect, test } from "vitest";
import { compilePlan, type PlanNode } from "../workflow/plan.ts";
import { meets, needsMet, type Placement, placeTask } from "./place-task.ts";
import { type JobStep, resolveSteps } from "./tekton/job-steps.ts";
import { contentOfTask } from "./tekton/task-content.ts";

interface Case {
  spec: TaskInput["spec"];
  annotations?: Record<string, unknown>;
  ofNode?: Record<string, unknown>;
  type?: "script" | "custom";
}

function nodeOf({ spec, annotations = {}, ofNode = {}, type = "script" }: Case): PlanNode {
  const task = { ...contentOfTask({ name: "t", spec, annotations }), type, id: "t", versionId: "v", version: 1, isGlobal: false };
  const ends = [
    { name: "start", type: "start" as const },
    { name: "end", type: "end" as const },
  ];
  const plan = compilePlan({ tasks: [...ends, { name: "a", type, annotations: ofNode }] }, () => task as never);
  return plan.nodes[2] as PlanNode;
}

function place(node: PlanNode, hasDefaultImage = false, params: Record<string, unknown> = {}): Placement {
  return placeTask(node, hasDefaultImage, () => (node.task ? resolveSteps(node.task, { task: params }).steps : []));
}

function said({ need, refusal }: Placement): string {
  return need ?? `${refusal?.reason}: ${refusal?.message}`;
}

const as = (kind: unknown) => ({ "millrace.dev/executor": kind });

describe("what a task needs", () => {
  test.each<[string, Case, string, string]>([
    ["a script: a process, or an image where the instance has one", { spec: { script: "x" } }, "process", "image"],
    ["a command too", { spec: { command: ["x"] } }, "process", "image"],
    ["an image: whatever runs images", { spec: { image: "a", script: "x" } }, "image", "image"],
    ["an image that says itself what runs: a container", { spec: { image: "a" } }, "container", "container"],
    ["the executor that it asks for", { spec: { image: "a", script: "x" }, annotations: as("kubernetes") }, "kubernetes", "kubernetes"],
    [
      "the node's word before the task's",
      { spec: { image: "a", script: "x" }, annotations: as("kubernetes"), ofNode: as("container") },
      "container",
      "container",
    ],
    [
      "a process, when its steps also run without their images",
      { spec: { image: "a", script: "x" }, annotations: as("process") },
      "process",
      "process",
    ],
    ["a volume that nobody mounts is not an obstacle", { spec: { script: "x", volumes: [{ name: "v", secret: {} }] } }, "process", "image"],
    [
      "privileges: whatever runs images",
      { spec: { steps: [{ script: "x", image: "a", securityContext: { capabilities: { add: ["CHOWN"] } } }] } },
      "image",
      "image",
    ],
    ["the result of a step by its path", { spec: { script: "cat $(steps.b.results.c.path)" } }, "process", "image"],
    ["nothing that a custom node does not say", { spec: {}, type: "custom" }, "ImageRequired", "container"],
  ])("%s", (_what, given, without, withDefault) => {
    expect(said(place(nodeOf(given)))).toMatch(new RegExp(`^${without}`));
    expect(said(place(nodeOf(given), true))).toMatch(new RegExp(`^${withDefault}`));
  });

  test("is known of the node, unless images come from parameters", () => {
    const fixed = nodeOf({ spec: { image: "a", script: "$(params.b)" } });
    place(fixed);
    expect(placeTask(fixed, false, never)).toEqual({ need: "image" });
    const open = nodeOf({ spec: { image: "$(params.image)", script: "x" } });
    expect(place(open, false, { image: "alpine" })).toEqual({ need: "image" });
    expect(place(open, false, { image: " " })).toEqual({ need: "process" });
    expect(place(open, true, { image: "" })).toEqual({ need: "image" });
    const custom = nodeOf({ spec: {}, type: "custom" });
    expect(place(custom, false, { image: "alpine", command: "ls" })).toEqual({ need: "image" });
    expect(place(custom, false, { image: "alpine" })).toEqual({ need: "container" });
    expect(place(custom, false, { shellScript: "x" })).toEqual({ need: "process" });
  });

  test("is remembered apart for instances with and without an image of their own", () => {
    const node = nodeOf({ spec: { script: "x" } });
    expect([place(node), place(node, true), place(node), place(node, true)].map(said)).toEqual(["process", "image", "process", "image"]);
  });
});

function never(): readonly JobStep[] {
  throw new Error("nobody has to know the steps");
}

describe("a task that nothing can run says why", () => {
  test.each<[Case, string]>([
    [
      { spec: { arguments: ["x"] }, annotations: as("process") },
      "ImageRequired: task t cannot run: it has neither script nor command in step t, so only an image can define what to run; the executor process, which it requests, can't do that",
    ],
    [
      { spec: { script: "x" }, annotations: as("container") },
      "ImageRequired: task t cannot run: it names no image for step t, and the setting task/default.image is empty; the executor container, which it requests, can't do that, but process can",
    ],
    [
      {
        spec: {
          steps: [
            { name: "a", image: "b", script: "x" },
            { name: "c", script: "x" },
          ],
        },
      },
      "ImageRequired: task t cannot run: it runs step a in the image b, and names no image for step c, and the setting task/default.image is empty; no executor here can do all of that. If the task also runs without its image, add the annotation millrace.dev/executor: process",
    ],
    [
      { spec: { image: "a" }, annotations: as("kubernetes") },
      "InvalidTask: task t cannot run: it leaves the command of step t to the image; the executor kubernetes, which it requests, can't do that, but container can",
    ],
    [
      { spec: { image: "a", script: "x", envs: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }] } },
      "InvalidTask: task t cannot run: it takes NODE from a field that only pods have (fieldRef); no executor here can do that",
    ],
    [
      { spec: { image: "a", script: "x", sidecars: [{ name: "db", image: "b", command: ["y"] }] }, annotations: as("process") },
      "InvalidTask: task t cannot run: it has sidecars (db); the executor process, which it requests, can't do that, but container",
    ],
    [
      { spec: { image: "a", sidecars: [{ name: "db", image: "b", lifecycle: { preStop: {} } }] } },
      "InvalidTask: task t cannot run: it uses lifecycle in the sidecar db; no executor here can do that",
    ],
    [
      { spec: { image: "a", sidecars: [{ name: "db", readinessProbe: { tcpSocket: { port: 0 } } }] } },
      "InvalidTask: task t cannot run: it has sidecars, and spec.sidecars.0.image is missing; a sidecar runs in an image of its own; no executor",
    ],
    [
      { spec: { steps: [{ script: "x", image: "a", securityContext: { privileged: true } }] }, annotations: as("process") },
      "InvalidTask: task t cannot run: it gives privileges to a step; the executor process, which it requests, can't do that, but container and kubernetes can",
    ],
    [{ spec: { steps: [{ image: "a", volumeDevices: [{ name: "d" }] }] } }, "it uses volumeDevices; no executor"],
    [
      {
        spec: {
          steps: [{ image: "a", volumeMounts: [{ name: "v", mountPath: "/v" }] }],
          volumes: [{ name: "v", hostPath: { path: "/" } }],
        },
      },
      "it mounts the volume v (hostPath); use a workspace for files that stay, and emptyDir, secret or configMap for others; no executor",
    ],
    [
      { spec: { image: "a", script: "$(steps.b.results.c)" } },
      "it uses the result of a step as a value in a script or a folder, which can only be in command, args, env and when; no executor",
    ],
    [
      { spec: { script: "x" }, ofNode: as("docker") },
      'InvalidTask: task t cannot run: its annotation millrace.dev/executor is "docker"; it must be one of process, container, kubernetes, external',
    ],
    [{ spec: { script: "x" }, ofNode: { "millrace.dev/runs-on": "a, $(params.b)" } }, "its annotation millrace.dev/runs-on is"],
  ])("%#", (given, expected) => {
    expect(said(place(nodeOf(given)))).toContain(expected);
  });
});

test("a worker can do what its executors can: each its own, and images where one runs them", () => {
  expect(needsMet(["process"])).toEqual(["process"]);
  expect(needsMet(["kubernetes", "process"])).toEqual(["kubernetes", "process", "image"]);
  expect(needsMet([])).toEqual([]);
  expect([meets("process", "image"), meets("container", "image"), meets("kubernetes", "image")]).toEqual([false, true, true]);
  expect([meets("process", "process"), meets("container", "kubernetes")]).toEqual([true, false]);
});

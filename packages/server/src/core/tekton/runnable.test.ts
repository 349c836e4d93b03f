import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskInput } from "@millrace/contract/task.ts";
import { describe, expect, test } from "vitest";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { type AvailableExecutors, chooseExecutor, findRunDemands } from "./runnable.ts";
import { contentOfTask } from "./task-content.ts";

function choose(
  spec: TaskInput["spec"],
  annotations: Record<string, unknown> = {},
  available: AvailableExecutors = { kinds: ["process"] },
) {
  const choice = chooseExecutor(contentOfTask({ name: "t", spec, annotations }), available);
  return choice.kind ?? `${choice.reason}: ${choice.message}`;
}

const everything: AvailableExecutors = { kinds: ["process", "container", "kubernetes"] };
const asProcess = { "millrace.dev/executor": "process" };

describe("where a task runs", () => {
  test.each<[string, TaskInput["spec"], Record<string, unknown>, AvailableExecutors, string]>([
    ["a script runs as a process", { script: "x" }, {}, everything, "process"],
    ["a command runs as a process", { command: ["x"] }, {}, everything, "process"],
    ["an image runs in a container", { image: "a" }, {}, everything, "container"],
    ["an image runs in what the operator prefers", { image: "a" }, {}, { kinds: ["process", "kubernetes", "container"] }, "kubernetes"],
    ["a task that also runs as a process does so", { image: "a", script: "x" }, asProcess, everything, "process"],
    ["a task runs where it says", { image: "a" }, { "millrace.dev/executor": "kubernetes" }, everything, "kubernetes"],
    ["the operator's image is for steps without one", { script: "x" }, {}, { ...everything, defaultImage: "b" }, "container"],
    ["without containers the operator's image is not needed", { script: "x" }, {}, { kinds: ["process"], defaultImage: "b" }, "process"],
    ["arguments alone run in the operator's image", { arguments: ["x"] }, {}, { ...everything, defaultImage: "b" }, "container"],
    [
      "a scratch volume wants containers",
      { steps: [{ image: "a", volumeMounts: [{ name: "v", mountPath: "/v" }] }], volumes: [{ name: "v", emptyDir: {} }] },
      {},
      everything,
      "container",
    ],
    [
      "a step that takes the result of another one as a value",
      { image: "a", script: "$(steps.b.results.c)" },
      {},
      everything,
      "kubernetes",
    ],
    ["a step that takes it by its path", { script: "cat $(steps.b.results.c.path)" }, {}, everything, "process"],
    [
      "a result that is that of a step",
      { image: "a", results: [{ name: "r", value: "$(steps.b.results.c)" }] },
      {},
      everything,
      "kubernetes",
    ],
    ["a volume that nobody mounts is no hindrance", { script: "x", volumes: [{ name: "v", secret: {} }] }, {}, everything, "process"],
    ["sidecars want containers", { image: "a", sidecars: [{ image: "b" }] }, {}, everything, "container"],
    ["a secret of the cluster wants the cluster", { image: "a", envs: [{ name: "A", valueFrom: {} }] }, {}, everything, "kubernetes"],
    [
      "a privileged step wants the cluster",
      { steps: [{ image: "a", securityContext: { privileged: true } }] },
      {},
      everything,
      "kubernetes",
    ],
  ])("%s", (_what, spec, annotations, available, expected) => {
    expect(choose(spec, annotations, available)).toBe(expected);
  });
});

describe("why a task does not run here", () => {
  test.each<[TaskInput["spec"], Record<string, unknown>, AvailableExecutors | undefined, string]>([
    [
      { image: "alpine:3" },
      {},
      undefined,
      "ImageRequired: task t cannot run here: it runs step t in the image alpine:3; that takes an executor of kind container or kubernetes; here: process. A task that also runs without its image says so by the annotation millrace.dev/executor: process",
    ],
    [
      { arguments: ["x"] },
      asProcess,
      undefined,
      "ImageRequired: task t cannot run here: it has neither script nor command in step t, so only an image could say what to run; the executor process, which it asks for, cannot do that",
    ],
    [
      { image: "a", script: "x", envs: [{ name: "TOKEN", valueFrom: {} }] },
      asProcess,
      undefined,
      "InvalidTask: task t cannot run here: it takes TOKEN from the cluster (valueFrom); the executor process, which it asks for, cannot do that",
    ],
    [{ image: "a" }, {}, { kinds: [] }, "here: none"],
    [
      { script: "x" },
      { "millrace.dev/executor": "container" },
      everything,
      "names no image for step t, and the setting task/default.image is empty",
    ],
  ])("%#", (spec, annotations, available, expected) => {
    expect(choose(spec, annotations, available)).toContain(expected);
  });

  test("an image that turns out to be empty is none", () => {
    const task = contentOfTask({ name: "t", spec: { image: "$(params.image)", script: "x" } });
    expect(chooseExecutor(task, { kinds: ["process"] }).kind).toBeUndefined();
    expect(chooseExecutor(task, { kinds: ["process"] }, [{ name: "t", script: "x" }])).toEqual({ kind: "process" });
    expect(chooseExecutor(task, everything, [{ name: "t", image: "alpine", script: "x" }])).toEqual({ kind: "container" });
  });

  test("a custom task is what its node says", () => {
    const task = contentOfTask({ name: "t", type: "custom", spec: {} });
    expect(chooseExecutor(task, everything, [{ name: "t", image: "alpine" }])).toEqual({ kind: "container" });
    expect(chooseExecutor(task, everything, [{ name: "t", script: "x" }])).toEqual({ kind: "process" });
    expect(chooseExecutor(task, everything, [{ name: "t" }])).toMatchObject({ reason: "ImageRequired" });
  });
});

test("a document says by name all that it demands", () => {
  const read = (file: string) =>
    contentOfDocument(readTaskDocument(readFileSync(join(import.meta.dirname, "testdata", file), "utf8")).definition);
  const demands = (file: string) => findRunDemands(read(file)).map(({ path, what, executors }) => `${path} ${what} [${executors}]`);
  expect(demands("build-and-probe.yaml")).toEqual([
    "/spec/steps/0/image runs step build in the image docker.io/library/maven:3 [container,kubernetes]",
    "/spec/steps/0/envFrom takes environment variables from the cluster (envFrom) [kubernetes]",
    "/spec/steps/0/env/2 takes PASSWORD from the cluster (valueFrom) [kubernetes]",
    "/spec/steps/0/securityContext has a privileged step [kubernetes]",
    "/spec/steps/0/volumeDevices uses volumeDevices [kubernetes]",
    "/spec/steps/0/stdoutConfig uses stdoutConfig [kubernetes]",
    "/spec/steps/0/stderrConfig uses stderrConfig [kubernetes]",
    "/spec/steps/1/image runs step probe in the image docker.io/library/alpine:3.20 [container,kubernetes]",
    "/spec/steps/2/image runs a step in the image docker.io/library/bash:5 [container,kubernetes]",
    "/spec/volumes/0 mounts the volume scratch (emptyDir) [container,kubernetes]",
    "/spec/volumes/1 mounts the volume memory (emptyDir) [container,kubernetes]",
    "/spec/volumes/2 mounts the volume settings (configMap) [kubernetes]",
    "/spec/sidecars has sidecars [container,kubernetes]",
    "/spec/results/3/value takes the result of a step as a value, not by its path [kubernetes]",
  ]);
  expect(demands("step-actions.yaml")).toEqual([
    "/spec/steps/0/ref takes a step from elsewhere (StepAction git-clone); write the step out []",
    "/spec/steps/1/ref takes a step from elsewhere (resolver git); write the step out []",
    "/spec/steps/2/image runs step conditional in the image alpine [container,kubernetes]",
    "/spec/steps/2/when has a step with a condition (when) []",
  ]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TaskInput } from "@millrace/contract/task/task.ts";
import { describe, expect, test } from "vitest";
import { contentOfDocument } from "./content-of-document.ts";
import { jobSteps, resolveSteps } from "./job-steps.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { parseDuration } from "./step-resources.ts";
import { contentOfTask } from "./task-content.ts";

function task(spec: TaskInput["spec"], type = "template", annotations: Record<string, unknown> = {}) {
  return { ...contentOfTask({ name: "My-Task", type, spec, annotations }), type };
}
const document = contentOfDocument(
  readTaskDocument(readFileSync(join(import.meta.dirname, "testdata/build-and-probe.yaml"), "utf8")).definition,
);
const fromDocument = { ...document, type: "template" };

describe("steps", () => {
  test("the step template is under each step: members, variables by name, mounts by path", () => {
    const [build, probe, last] = jobSteps(fromDocument);
    expect(build).toMatchObject({
      name: "build",
      image: "docker.io/library/maven:3",
      command: ["mvn"],
      env: [
        { name: "HOME", value: "/tekton/home" },
        { name: "LEVEL", value: "build" },
        { name: "PASSWORD", value: "" },
        { name: "NODE", value: "" },
      ],
      onError: "continue",
      timeoutMs: 5_400_000,
    });
    expect(probe).toMatchObject({
      name: "probe",
      image: "docker.io/library/alpine:3.20",
      env: [{ name: "HOME" }, { name: "LEVEL", value: "template" }],
    });
    expect(last).toMatchObject({ name: "unnamed-2", args: ["$(params.goals[*])", "$(steps.probe.results.latency.path)"] });
  });

  test("one flat step has the name of the task, as names of steps are; a script wins over a command", () => {
    expect(jobSteps(task({ script: "x", command: ["y"], arguments: ["a"], envs: [{ name: "A", value: "b" }], workingDir: "/w" }))).toEqual([
      { name: "my-task", script: "x", args: ["a"], env: [{ name: "A", value: "b" }], workingDir: "/w" },
    ]);
    expect(jobSteps(task({ stepTemplate: { command: ["c"], workingDir: "/t" }, steps: [{ script: "x" }, { args: ["y"] }] }))).toEqual([
      { name: "unnamed-0", script: "x", workingDir: "/t" },
      { name: "unnamed-1", command: ["c"], args: ["y"], workingDir: "/t" },
    ]);
  });

  test("what only a container has: resources in numbers, the pull policy, a root that may be written", () => {
    const resources = { requests: { memory: "64Mi", cpu: "250m" }, limits: { memory: "1Gi", cpu: 2, "ephemeral-storage": "1Gi" } };
    const numbers = { requests: { memoryBytes: 64 * 2 ** 20, cpuMillis: 250 }, limits: { memoryBytes: 2 ** 30, cpuMillis: 2000 } };
    const step = { name: "a", image: "b", imagePullPolicy: "Always", securityContext: { readOnlyRootFilesystem: false } };
    expect(jobSteps(task({ steps: [{ ...step, computeResources: resources }] }))).toEqual([
      { name: "a", image: "b", resources: numbers, pullPolicy: "Always", hasWritableRoot: true },
    ]);
    const older = { name: "a", image: "b", imagePullPolicy: "Sometimes", securityContext: { readOnlyRootFilesystem: true } };
    expect(jobSteps(task({ stepTemplate: { resources }, steps: [older] }))).toEqual([{ name: "a", image: "b", resources: numbers }]);
    const wrong = { requests: { memory: "much" }, limits: { "nvidia.com/gpu": 1 } };
    expect(jobSteps(task({ steps: [{ name: "a", image: "b", computeResources: wrong }] }))).toEqual([{ name: "a", image: "b" }]);
  });

  test("texts are resolved once; places stay for the executor; an argument that is a list becomes its items", () => {
    const scope = { task: { goals: ["clean", "$(params.mode)"], mode: "fast", source: { url: "u" }, "dotted.name": 5 } };
    const { steps, warnings } = resolveSteps(fromDocument, scope);
    expect(steps[0]).toMatchObject({
      workingDir: "$(workspaces.source.path)/u",
      args: ["-B", "clean", "$(params.mode)", "-Dmode=fast", "5"],
    });
    expect(steps[1]?.script).toContain('print("fast", os.environ');
    expect(steps[2]).toMatchObject({ args: ["clean", "$(params.mode)", "$(steps.probe.results.latency.path)"] });
    expect(warnings).toEqual([]);
    const legacy = task({
      image: "$(params.image)",
      arguments: ["$(params.list)", "x-$(params.word)", "$(params.missing)"],
      command: ["$(params.list[*])"],
    });
    expect(resolveSteps(legacy, { task: { image: "alpine", list: ["a", 1], word: "w" } })).toMatchObject({
      steps: [{ image: "alpine", args: ["a", "1", "x-w", "$(params.missing)"], command: ["a", "1"] }],
      warnings: [{ reference: "$(params.missing)" }],
    });
  });

  test("places are asked for in the same pass; what a step leaves for later ones lies beside the results", () => {
    const extra = (words: readonly string[]) =>
      words[0] === "results"
        ? { found: true, value: `/r/${words[1]}` }
        : { found: words[0]?.startsWith("c") === true, value: words.join("/") };
    const { steps } = resolveSteps(fromDocument, { task: { mode: "$(results.digest.path)", goals: [] }, extra });
    expect(steps[1]?.script).toContain('open("/r/.probe.latency", "w")');
    expect(steps[1]?.script).toContain('print("$(results.digest.path)"');
    expect(steps[2]?.args).toEqual(["/r/.probe.latency"]);
    expect(steps[2]?.script).toContain('"$(workspaces.cache.bound)" > "/r/files"');
    const context = task({ script: "echo $(context.taskRun.name) $(nothing.here)" });
    expect(resolveSteps(context, { extra }).steps[0]?.script).toBe("echo context/taskRun/name $(nothing.here)");
  });

  test("values of steps stay in pieces; what is around them is resolved once, and what is in it never again", () => {
    const args = ["$(params.p)-$(steps.a.results.x)$(steps.a.results.x)", "$(params.list[*])", "$(steps.a.results.x)"];
    const when = [{ input: "$(params.p)", operator: "notin", values: ["$(params.list[*])", "$(steps.a.results.y.z)"] }];
    const steps = [
      { name: "a", script: "x" },
      { name: "b", script: "$(steps.a.results.x)", args, env: [{ name: "E", value: args[2]! }], when },
    ];
    const scope = { task: { p: "$(steps.a.results.x)", list: ["1", "$(steps.a.results.x)"] } };
    const x = { step: "a", result: "x" };
    expect(resolveSteps(task({ steps }), scope).steps[1]).toEqual({
      name: "b",
      script: "$(steps.a.results.x)",
      args: [["$(steps.a.results.x)-", x, x], "1", "$(steps.a.results.x)", [x]],
      env: [{ name: "E", value: [x] }],
      when: [{ input: "$(steps.a.results.x)", operator: "notin", values: ["1", "$(steps.a.results.x)", [{ step: "a", result: "y.z" }]] }],
    });
  });

  test("without an executor that knows its places, references to them stay", () => {
    expect(jobSteps(fromDocument)[1]?.script).toBe(resolveSteps(fromDocument, { task: { mode: "$(params.mode)" } }).steps[1]?.script);
    const odd = task({ script: "$(steps.a.results.path) $(steps.a.results.b) $(step.results.path) $(steps.../x.results.b.path)" });
    const extra = () => ({ found: false });
    expect(resolveSteps(odd, { extra }).steps).toEqual(jobSteps(odd));
  });

  test("a custom task without steps runs the command of its node, without further substitution", () => {
    const custom = task({}, "custom");
    const resolve = (params: Record<string, unknown>) => resolveSteps(custom, { task: params }).steps;
    expect(resolve({ image: " alpine ", command: "ls\n-l\n", arguments: "a b\r\n$(params.secret)", secret: "s" })).toEqual([
      { name: "my-task", image: "alpine", command: ["ls", "-l"], args: ["a b", "$(params.secret)"] },
    ]);
    expect(resolve({ shellScript: "#!/bin/sh\necho", command: "ls" })).toEqual([{ name: "my-task", script: "#!/bin/sh\necho" }]);
    expect(resolve({})).toEqual([{ name: "my-task" }]);
  });
});

test.each([
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["45s", 45_000],
  ["300ms", 300],
  ["2us", 0],
  ["0", 0],
  ["0s", 0],
  ["", undefined],
  ["5", undefined],
  ["1h 30m", undefined],
  ["-1s", undefined],
  ["1d", undefined],
])("the duration %j", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

import type { TaskInput } from "@millrace/contract/task/task.ts";
import { describe, expect, test } from "vitest";
import { findTaskFaults, inFlatForm } from "./check-task.ts";
import { resolveSteps } from "./job-steps.ts";
import { findActionFaults } from "./step-action/check-action.ts";
import { contentOfTask } from "./task-content.ts";
import { findActionWarnings, findTaskWarnings } from "./task-warnings.ts";

function faults(spec: TaskInput["spec"], more: TaskInput & { type?: "template" | "custom" | "approval" } = {}): string[] {
  const content = contentOfTask({ name: "t", spec, ...more });
  return inFlatForm(content, findTaskFaults(content, more.type ?? "template")).map(({ path, message }) => `${path} ${message}`);
}

const run = { script: "true" };

describe("a task that nobody could run is refused", () => {
  test.each<[string, TaskInput["spec"], string]>([
    ["without steps", {}, "/spec/steps are missing; a task of type template needs at least one step"],
    ["without a program", { workingDir: "/tmp" }, "/spec has no script, no command and no image; there is nothing to run"],
    ["one empty step of two", { steps: [run, { name: "b" }] }, "/spec/steps/1 has no script, no command and no image"],
    [
      "two parameters of one name",
      { ...run, params: [{ name: "a" }, { name: "a" }] },
      "/spec/params/1/name is a, but another of the parameters has that name",
    ],
    ["two results of one name", { ...run, results: [{ name: "a" }, { name: "a" }] }, "/spec/results/1/name is a"],
    [
      "two steps of one name",
      {
        steps: [
          { ...run, name: "a" },
          { ...run, name: "a" },
        ],
      },
      "/spec/steps/1/name is a",
    ],
    [
      "a result that is not a file name",
      { ...run, results: [{ name: "../x" }] },
      '/spec/results/0/name is "../x"; the name of a result has letters',
    ],
    ["a workspace that is not a file name", { ...run, workspaces: [{ name: "a/b" }] }, '/spec/workspaces/0/name is "a/b"'],
    [
      "a workspace inside another one",
      {
        ...run,
        workspaces: [
          { name: "a", mountPath: "/w/link" },
          { name: "b", mountPath: "/w" },
        ],
      },
      '/spec/workspaces/0/mountPath workspaces "b" and "a" can\'t be mounted at /w and below it at /w/link',
    ],
    ["a workspace that climbs", { ...run, workspaces: [{ name: "a", mountPath: "/w/.." }] }, "/spec/workspaces/0/mountPath must be"],
    ["a parameter that no reference could name", { ...run, params: [{ name: "a)" }] }, "/spec/params/0/name must not contain parentheses"],
    [
      "a default that enum forbids",
      { ...run, params: [{ name: "a", enum: ["x"], default: "y" }] },
      "/spec/params/0/default is not one of the values",
    ],
    ["a timeout that is not a duration", { steps: [{ ...run, timeout: "soon" }] }, "/spec/steps/0/timeout is soon; it must be a duration"],
    ["an unknown onError", { steps: [{ ...run, onError: "retry" }] }, "/spec/steps/0/onError is retry; it must be continue or stopAndFail"],
    [
      "a mount without volume",
      { steps: [{ ...run, volumeMounts: [{ name: "v", mountPath: "/v" }] }] },
      "/spec/steps/0/volumeMounts/0/name is v",
    ],
    [
      "a step from elsewhere",
      { steps: [{ ref: { name: "git-clone" } }] },
      "/spec/steps/0/ref/name is git-clone, but neither the team nor the instance has an active StepAction of that name",
    ],
    ["a step by a resolver", { steps: [{ ref: { resolver: "hub" } }] }, '/spec/steps/0/ref/resolver is "hub"'],
    [
      "a step's result that is not a file name",
      { steps: [{ ...run, results: [{ name: "../x" }] }] },
      '/spec/steps/0/results/0/name is "../x"; the name of a result has letters',
    ],
    [
      "two results of a step of one name",
      { steps: [{ ...run, results: [{ name: "a" }, { name: "a" }] }] },
      "/spec/steps/0/results/1/name is a",
    ],
    [
      "resources of pipelines",
      { ...run, resources: { inputs: [] } },
      "/spec/resources cannot be run by any executor: the task uses PipelineResources",
    ],
  ])("%s", (_what, spec, expected) => {
    expect(faults(spec).join("\n")).toContain(expected);
  });

  test("steps and a flat step at once", () => {
    expect(() => faults({ steps: [run], image: "alpine" })).toThrow("spec has steps and also image");
  });

  test("an executor or a network that there is not", () => {
    expect(faults(run, { annotations: { "millrace.dev/executor": "docker" } })).toEqual([
      '/annotations/millrace.dev~1executor is "docker"; it must be one of process, container, kubernetes, external',
    ]);
    expect(faults(run, { annotations: { "millrace.dev/network": true } })).toHaveLength(1);
    expect(faults(run, { annotations: { "millrace.dev/network": "host", "millrace.dev/executor": "process" } })).toEqual([]);
  });
});

describe("a task whose script is a function", () => {
  const annotated = (annotations: Record<string, unknown>, spec: TaskInput["spec"] = run): string =>
    faults(spec, {
      annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`millrace.dev/${name}`, value])),
    } as never).join();

  test.each<[Record<string, unknown>, TaskInput["spec"] | undefined, string]>([
    [{ language: "ruby" }, undefined, '/annotations/millrace.dev~1language is "ruby"; it must be one of javascript, typescript, python'],
    [{ "keep-alive": "true" }, undefined, "/annotations/millrace.dev~1keep-alive needs millrace.dev/language beside it"],
    [{ language: "python", "keep-alive": "yes" }, undefined, 'keep-alive is "yes"; it must be one of false, true, with-secrets'],
    [{ language: "python" }, { command: ["a"] }, "needs a step with a script that defines the function"],
    [{ language: "python" }, { steps: [run, { ...run, name: "b" }] }, "needs exactly one step, but the task has 2"],
    [{ language: "python" }, { ...run, arguments: ["x"] }, "can't be combined with args"],
  ])("is refused with %j", (annotations, spec, expected) => {
    expect(annotated(annotations, spec)).toContain(expected);
  });

  test("is taken in each language, and with what YAML makes of true", () => {
    for (const language of ["javascript", "typescript", "python"])
      for (const keep of [undefined, "false", "true", true, "with-secrets"]) expect(annotated({ language, "keep-alive": keep })).toBe("");
  });
});

describe("a task that something could run is taken", () => {
  test.each<[string, TaskInput["spec"], TaskInput]>([
    ["steps that are not the task's own work", {}, { type: "approval" }],
    ["a custom task, whose node says what runs", {}, { type: "custom" }],
    ["an image with its own entry point", { image: "alpine" }, {}],
    ["arguments for the image that the operator sets", { arguments: ["http", "execute"] }, {}],
    [
      "volumes, sidecars and secrets of a cluster",
      {
        steps: [{ image: "a", envFrom: [{ secretRef: { name: "s" } }], volumeMounts: [{ name: "v", mountPath: "/v" }] }],
        volumes: [{ name: "v", secret: { secretName: "s" } }],
        sidecars: [{ image: "b" }],
      },
      {},
    ],
    ["a script beside a command, as the script wins", { script: "x", command: ["y"] }, {}],
    ["empty lists beside steps", { steps: [run], envs: [], arguments: [], command: null, image: "" }, {}],
  ])("%s", (_what, spec, more) => {
    expect(faults(spec, more as never)).toEqual([]);
  });
});

test("references to parameters that are not declared are warned about, and only those", () => {
  const { spec } = contentOfTask({
    name: "t",
    spec: {
      params: [{ name: "known" }],
      script: "echo $(params.known) $(params.other) $(team.params.team-wide) $(context.taskRun.name) $(ls) $(tasks.a.results.b)",
      arguments: ["$(params['dotted.name'][*])"],
    },
  });
  expect(findTaskWarnings(spec, "t")).toEqual([
    { path: "/spec/steps/0", subject: "step t", message: "refers to the parameter dotted.name, which the task does not declare" },
    { path: "/spec/steps/0", subject: "step t", message: "refers to the parameter other, which the task does not declare" },
  ]);
});

test("what was meant as a reference and is none is warned about", () => {
  const { spec } = contentOfTask({ name: "t", spec: { params: [{ name: "known" }], script: "echo $(param.known) > $(results.image)" } });
  expect(findTaskWarnings(spec, "t").map(({ message }) => message)).toEqual([
    "has $(param.known), which is not a reference and is left as written; did you mean $(params.known)?",
    "has $(results.image), which is not a reference and is left as written; did you mean $(results.image.path)?",
  ]);
});

describe("files for the output of a step", () => {
  const file = (config: unknown, more: object = {}) => ({ ...more, steps: [{ ...run, stdoutConfig: config }] }) as TaskInput["spec"];

  test("have a path, with references or without", () => {
    expect(faults(file({ path: "$(results.r.path)" }, { results: [{ name: "r" }] }))).toEqual([]);
    expect(faults(file({ path: "out/$(params.p)" }, { params: [{ name: "p" }] }))).toEqual([]);
    expect(faults(file(null))).toEqual([]);
    const { steps } = resolveSteps(
      { ...contentOfTask({ name: "t", spec: file({ path: "/x/$(params.p)" }) }), type: "template" },
      { task: { p: "y" } },
    );
    expect(steps[0]?.outputFiles).toEqual({ stdout: "/x/y" });
  });

  test.each([
    [{}, "/spec/steps/0/stdoutConfig/path must be the path of a file"],
    ["/x", "/spec/steps/0/stdoutConfig/path must be the path of a file"],
    [{ path: "" }, "/spec/steps/0/stdoutConfig/path must be the path of a file"],
    [{ path: 5 }, "/spec/steps/0/stdoutConfig/path must be the path of a file"],
    [{ path: "x".repeat(1025) }, "/spec/steps/0/stdoutConfig/path must be the path of a file"],
    [{ path: "x", mode: 1 }, "/spec/steps/0/stdoutConfig/mode is not known here"],
    [{ path: "$(steps.a.results.b)" }, "results of steps can only be values in command, args, env and when"],
  ])("are refused as %j", (config, fault) => {
    expect(faults(file(config)).join()).toContain(fault);
  });
});

describe("members without an effect", () => {
  const warned = (spec: object) =>
    findTaskWarnings(contentOfTask({ name: "t", spec } as never).spec, "t").map(({ subject, message }) => `${subject} ${message}`);

  test("are named, each once, at the step or the step template", () => {
    const step = { image: "a", script: "x" };
    const spec = {
      stepTemplate: { securityContext: { runAsUser: 5 }, terminationMessagePath: "/x" },
      steps: [
        step,
        { ...step, tty: true, stdin: false, workspaces: [{ name: "w" }], securityContext: { seccompProfile: { type: "Localhost" } } },
      ],
    };
    expect(warned(spec)).toEqual([
      "stepTemplate.securityContext.runAsUser has no effect: without privileges steps run as a user of their own",
      "steps.1.securityContext.seccompProfile has no effect: the worker chooses the filter of system calls",
      "steps.1.workspaces has no effect: every step sees all workspaces of its task",
      "steps.1.tty has no effect: steps have no terminal",
      "stepTemplate.terminationMessagePath has no effect: use results",
    ]);
  });

  test("of a StepAction are named, and its faults are refused, when it is saved", () => {
    const spec = (securityContext: object) => ({ image: "a", script: "x", securityContext });
    const { spec: ignored } = contentOfTask({ name: "act", type: "stepaction", spec: spec({ fsGroup: 5 }) } as never);
    expect(findActionWarnings(ignored, "act")).toMatchObject([{ path: "/spec/securityContext/fsGroup" }]);
    const faults = findActionFaults(contentOfTask({ name: "act", type: "stepaction", spec: spec({ privileged: "yes" }) } as never));
    expect(faults).toMatchObject([{ path: "/spec/securityContext/privileged", message: expect.stringContaining("true or false") }]);
  });
});

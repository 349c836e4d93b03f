import type { TaskInput } from "@millrace/contract/task/task.ts";
import { describe, expect, test } from "vitest";
import { findTaskFaults } from "../check-task.ts";
import { contentOfDocument } from "../content-of-document.ts";
import { type ProgramTask, resolveSteps } from "../job-steps.ts";
import { readTaskDocument } from "../read-task-document.ts";
import { findRunDemands } from "../runnable.ts";
import { contentOfTask } from "../task-content.ts";
import { writeTaskDocument } from "../write-task-document.ts";
import { findActionFaults } from "./check-action.ts";
import { actionOf, type NamedAction, withActions } from "./step-action.ts";

type Spec = NonNullable<TaskInput["spec"]>;

function action(spec: Spec, name = "act"): NamedAction {
  return { ...actionOf(contentOfTask({ name, type: "stepaction", spec }).spec, name), name, version: 3, isGlobal: false };
}

function task(spec: Spec, ...actions: NamedAction[]): ProgramTask {
  const content = contentOfTask({ name: "t", spec });
  const found = new Map(actions.map((one) => [one.name, one]));
  return { ...content, type: "template", spec: withActions(content.spec, (name) => found.get(name)) };
}

function faultsOf(spec: Spec, ...actions: NamedAction[]): string[] {
  const content = { ...contentOfTask({ name: "t", spec }), spec: task(spec, ...actions).spec };
  return findTaskFaults(content as never, "template").map(({ path, message }) => `${path} ${message}`);
}

const actionFaults = (spec: Spec, annotations = {}) =>
  findActionFaults(contentOfTask({ name: "act", type: "stepaction", spec, annotations })).map(({ path, message }) => `${path} ${message}`);

const text = (name: string, more = {}) => ({ name, ...more });
const extra = (words: readonly string[]) => ({ found: true, value: `/${words.join("/")}` });

describe("a step that refers to a StepAction", () => {
  const greet = action({
    params: [text("who"), text("greeting", { default: "hello" }), text("flags", { type: "multiselect", default: [] })],
    results: [{ name: "said" }],
    script: "say '$(params.greeting)' $(params.who) > $(step.results.said.path)",
    arguments: ["$(params.flags[*])", "$(params.who)"],
    envs: [{ name: "WHO", value: "$(params.who)" }],
  });

  test("runs what the StepAction says, with what the step gives and defaults for the rest", () => {
    const steps = [{ name: "one", ref: { name: "act" }, params: [{ name: "who", value: "$(params.name)" }], timeout: "5s" }];
    const resolved = resolveSteps(task({ params: [text("name")], steps }, greet), { task: { name: "Ada" }, extra });
    expect(resolved.steps).toEqual([
      {
        name: "one",
        script: "say 'hello' Ada > /results/.one.said/path",
        args: ["Ada"],
        env: [{ name: "WHO", value: "Ada" }],
        timeoutMs: 5000,
      },
    ]);
    expect(resolved.warnings).toEqual([]);
  });

  test("sees its own parameters only, and a value is never looked at again", () => {
    const curious = action({
      params: [text("a"), text("half", { default: "$" }), text("who", { default: "own" })],
      script: "$(params.who) $(params.a) $(params.half)(params.secret)",
      arguments: ["$(params.a)", "$(params.half)(params.secret)"],
    });
    const steps = [{ ref: { name: "act" }, params: [{ name: "a", value: "$(params.given) $(params.half)" }] }];
    const values = { given: "$(params.secret) $(params.who)", secret: "s3cret", who: "task's", half: "x" };
    const { steps: found } = resolveSteps(task({ steps }, curious), { task: values, extra });
    expect(found[0]?.script).toBe("own $(params.secret) $(params.who) x $(params.secret)");
    expect(found[0]?.args).toEqual(["$(params.secret) $(params.who) x", "$(params.secret)"]);
    expect(JSON.stringify(found)).not.toContain("s3cret");
  });

  test("takes results of earlier steps as values, and its own results are those of the step", () => {
    const steps = [
      { name: "a", results: [{ name: "r" }], script: "x" },
      { name: "b", ref: { name: "act" }, params: [{ name: "who", value: "v$(steps.a.results.r)$(params.p)" }] },
      { name: "c", script: "x", args: ["$(steps.b.results.said)"] },
    ];
    const plain = action({
      params: [text("who")],
      results: [{ name: "said" }],
      command: ["say"],
      arguments: ["<$(params.who)>", "$(params.who)"],
      envs: [{ name: "W", value: "$(params.who)" }],
    });
    const spec = { params: [text("p")], results: [{ name: "said", value: "$(steps.b.results.said)" }], steps };
    expect(faultsOf(spec, plain)).toEqual([]);
    const early = { steps: [steps[1], steps[0]] } as Spec;
    expect(faultsOf(early, plain)).toEqual([
      expect.stringContaining("/spec/steps/0/params/0/value refers to $(steps.a.results.r), but the step a comes later"),
    ]);
    const resolved = resolveSteps(task(spec, plain), { task: { p: "$(steps.a.results.r)" }, extra }).steps;
    const value = ["v", { step: "a", result: "r" }, "$(steps.a.results.r)"];
    expect(resolved[1]).toMatchObject({ args: [["<", ...value, ">"], value], env: [{ name: "W", value }] });
    expect(resolved[2]?.args).toEqual([[{ step: "b", result: "said" }]]);
  });

  test("gets from the step template what the StepAction leaves open, in the words of the task", () => {
    const bare = action({
      params: [text("p", { default: "own" }), text("v")],
      script: "x",
      envs: [{ name: "A", value: "$(params.p)" }],
      volumeMounts: [{ name: "$(params.v)", mountPath: "/opt/$(params.p)" }],
    });
    const stepTemplate = {
      image: "$(params.p)",
      env: [
        { name: "A", value: "$(params.p)" },
        { name: "B", value: "$(params.p)" },
      ],
      volumeMounts: [{ name: "cache", mountPath: "/cache/$(params.p)" }],
    };
    const spec = {
      stepTemplate,
      volumes: [{ name: "cache", emptyDir: {} }],
      steps: [{ ref: { name: "act" }, params: [{ name: "v", value: "cache" }] }],
    };
    expect(faultsOf({ ...spec, params: [text("p")] }, bare)).toEqual([]);
    const { steps } = resolveSteps(task(spec, bare), { task: { p: "task" }, extra });
    expect(steps[0]).toMatchObject({
      image: "task",
      env: [
        { name: "B", value: "task" },
        { name: "A", value: "own" },
      ],
      mounts: [
        { volume: "cache", path: "/cache/task" },
        { volume: "cache", path: "/opt/own" },
      ],
    });
  });

  test("demands what the StepAction demands, and a volume of another machine stays refused", () => {
    const mounting = action({
      params: [text("v")],
      image: "alpine",
      script: "x",
      volumeMounts: [{ name: "$(params.v)", mountPath: "/opt" }],
      securityContext: { privileged: true },
    });
    const spec = {
      volumes: [{ name: "root", hostPath: { path: "/" } }],
      steps: [{ ref: { name: "act" }, params: [{ name: "v", value: "root" }] }],
    };
    expect(findRunDemands(task(spec, mounting)).map(({ path }) => path)).toEqual([
      "/spec/steps/0/image",
      "/spec/steps/0/securityContext",
      "/spec/volumes/0",
    ]);
    expect(faultsOf(spec, mounting)).toEqual([expect.stringContaining("mounts the volume root (hostPath)")]);
  });

  test("masks what it is given for a parameter of type password", () => {
    const login = action({ params: [text("token", { type: "password" })], script: "login $(params.token)" });
    const spec = (value: string) => ({
      params: [text("t", { type: "password" }), text("plain")],
      steps: [{ ref: { name: "act" }, params: [{ name: "token", value }] }],
    });
    expect(faultsOf(spec("$(params.t)"), login)).toEqual([]);
    expect(resolveSteps(task(spec("$(params.t)"), login), { task: { t: "hunter22" } }).secrets).toEqual(["hunter22"]);
    expect(faultsOf(spec("hunter22"), login)).toEqual([
      "/spec/steps/0/params/0/value is for a secret parameter; give it a parameter of type password of the task, as $(params.NAME) and nothing else",
    ]);
    expect(faultsOf(spec("$(params.plain)"), login)).toEqual([expect.stringContaining("but plain is none")]);
  });

  test("names what no object has of itself", () => {
    const odd = action({
      params: [text("__proto__"), text("constructor", { default: "c" })],
      script: "$(params.__proto__) $(params.constructor)",
    });
    const steps = [{ ref: { name: "act" }, params: [{ name: "__proto__", value: "p" }] }];
    expect(faultsOf({ steps }, odd)).toEqual([]);
    expect(resolveSteps(task({ steps }, odd), {}).steps[0]?.script).toBe("p c");
    const none = action({ params: [], script: "x" });
    expect(faultsOf({ steps }, none)).toEqual(["/spec/steps/0/params/0/name is __proto__, which the StepAction act does not declare"]);
    expect(faultsOf({ steps: [{ ref: { name: "__proto__" } }] })).toEqual([
      expect.stringContaining("/spec/steps/0/ref/name is __proto__, but"),
    ]);
  });
});

describe("what a save refuses", () => {
  const act = action({
    params: [
      text("p"),
      text("list", { type: "multiselect", default: [] }),
      text("o", { type: "json", default: {}, properties: { url: {} } }),
    ],
    script: "x $(params.p)",
  });
  const given = [{ name: "p", value: "v" }];
  const ref = { name: "act" };
  test.each<[string, Spec, string]>([
    ["no such StepAction", { steps: [{ ref: { name: "gone" } }] }, "/spec/steps/0/ref/name is gone, but neither the team nor the instance"],
    ["a resolver", { steps: [{ ref: { resolver: "git" } as never }] }, '/spec/steps/0/ref/resolver is "git"; StepActions aren\'t fetched'],
    ["a member of a ref", { steps: [{ ref: { name: "act", bundle: "x" } as never }] }, "/spec/steps/0/ref/bundle is not known here"],
    ["no name", { steps: [{ ref: {} }] }, "/spec/steps/0/ref/name must be the name"],
    ["a missing parameter", { steps: [{ ref }] }, "/spec/steps/0 must have p, for which the StepAction act has no default"],
    ["an unknown one", { steps: [{ ref, params: [...given, { name: "q", value: "v" }] }] }, "/spec/steps/0/params/1/name is q, which"],
    ["one twice", { steps: [{ ref, params: [...given, ...given] }] }, "/spec/steps/0/params/1/name is p, which the step gives twice"],
    [
      "another type",
      { steps: [{ ref, params: [...given, { name: "list", value: "v" }] }] },
      "/spec/steps/0/params/1/value must be of type array",
    ],
    [
      "a text for a list",
      { steps: [{ ref, params: [{ name: "p", value: ["v"] }] }] },
      "/spec/steps/0/params/0/value must be of type string",
    ],
    [
      "a member that an object lacks",
      { steps: [{ ref, params: [...given, { name: "o", value: {} }] }] },
      "/spec/steps/0/params/1/value must have",
    ],
    ["an image beside it", { steps: [{ ref, params: given, image: "x" }] }, "/spec/steps/0/image can't be used beside ref"],
    ["results beside it", { steps: [{ ref, params: given, results: [] }] }, "/spec/steps/0/results can't be used beside ref"],
    ["workspaces beside it", { steps: [{ ref, params: given, workspaces: [] }] }, "/spec/steps/0/workspaces can't be used beside ref"],
    ["parameters of a step of its own", { steps: [{ script: "x", params: given }] }, "/spec/steps/0/params is only for a step that refers"],
    ["what the service sets", { steps: [{ script: "x", stepAction: {} }] }, "/spec/steps/0/stepAction is only for a step that refers"],
    ["a template with it", { stepTemplate: { ref }, steps: [{ script: "x" }] }, "/spec/stepTemplate/ref belongs to a step"],
    [
      "a result of a step in a program",
      {
        steps: [
          { name: "a", script: "x", results: [{ name: "r" }] },
          { ref, params: [{ name: "p", value: "$(steps.a.results.r)" }] },
        ],
      },
      "/spec/steps/1/params/0/value refers to $(steps.a.results.r), but the StepAction act uses p in its script",
    ],
    [
      "a result that the StepAction does not declare",
      { steps: [{ name: "a", ref, params: given }, { command: ["$(steps.a.results.r)"] }] },
      "/spec/steps/1/command/0 refers to $(steps.a.results.r), but the step a declares no result r",
    ],
  ])("%s", (_name, spec, message) => {
    expect(faultsOf(spec, act)[0]).toContain(message);
  });

  test("thousands of missing parameters in one sentence", () => {
    const params = Array.from({ length: 1000 }, (_, index) => text(`p${index}`));
    expect(faultsOf({ steps: [{ ref }] }, action({ params, script: "x" }))).toEqual([
      "/spec/steps/0 must have p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 990 more, for which the StepAction act has no default",
    ]);
  });

  test("too many copies, before anything else is checked", () => {
    const steps = Array.from({ length: 1000 }, (_, index) => ({ name: `s${index}`, ref }));
    expect(faultsOf({ steps }, action({ script: "x".repeat(1_000_000) }))).toEqual([
      expect.stringMatching(/^\/spec\/steps have StepActions of \d+ characters together; a task can have 1048576; split it/),
    ]);
  });

  test("a function, since it would get the parameters of the task", () => {
    const spec = task({ steps: [{ ref, params: given }] }, act).spec;
    const content = { ...contentOfTask({ name: "t", annotations: { "millrace.dev/language": "javascript" } }), spec };
    expect(findTaskFaults(content as never, "template")[0]?.message).toContain("can't be combined with a StepAction");
  });

  test.each<[string, Spec, string]>([
    ["no program", {}, "/spec has no script, no command and no image"],
    ["a script and a command", { script: "x", command: ["y"] }, "/spec/command can't be used beside script"],
    ["steps", { steps: [{ script: "x" }, { script: "y" }] }, "/spec/steps is not a member of a StepAction"],
    ["volumes", { script: "x", volumes: [] }, "/spec/volumes is not a member of a StepAction"],
    ["a timeout", { script: "x", timeout: "5s" }, "/spec/timeout is not a member of a StepAction"],
    ["mounts of another shape", { script: "x", volumeMounts: 5 } as never, "/spec/volumeMounts must be a list"],
    [
      "a volume of its own",
      { script: "x", volumeMounts: [{ name: "v", mountPath: "/v" }] },
      '/spec/volumeMounts/0/name is "v"; it must be',
    ],
    ["an unknown parameter", { script: "$(params.p)" }, "/spec/script refers to $(params.p), but the StepAction declares no parameter p"],
    ["parameters of the team", { script: "$(team.params.p)" }, "but a StepAction can't reach parameters of the team"],
    ["another task", { arguments: ["$(tasks.a.results.r)"], image: "x" }, "/spec/args refers to $(tasks.a.results.r), but"],
    ["another step", { arguments: ["$(steps.a.results.r)"], image: "x" }, "but a StepAction knows no other steps"],
    ["all of a result of another step", { arguments: ["$(steps.a.results.r[*])"], image: "x" }, "but a StepAction knows no other steps"],
    ["an undeclared result", { script: "$(step.results.r.path)" }, "but the StepAction declares no result r"],
    ["the value of its own result", { command: ["$(step.results.r)"], results: [{ name: "r" }] }, "add .path"],
    ["a default with a reference", { script: "x", params: [text("p", { default: "$(params.q)" })] }, "/spec/params/0/default refers to"],
    [
      "a secret default",
      { script: "x", params: [text("p", { type: "password", default: "hunter22" })] },
      "/spec/params/0/default must be left out",
    ],
    ["the value of a parameter", { script: "x", params: [text("p", { value: "v" })] }, "/spec/params/0/value must be left out"],
    [
      "a field of a pod",
      { script: "x", envs: [{ name: "A", valueFrom: { fieldRef: {} } }] },
      "/spec/env/0/valueFrom takes A from a field that only",
    ],
    ["the value of a result", { script: "x", results: [{ name: "r", value: "v" }] }, "/spec/results/0/value must be left out"],
  ])("a StepAction with %s", (_name, spec, message) => {
    expect(actionFaults(spec)[0]).toContain(message);
  });

  test("a StepAction with annotations of a task", () => {
    expect(actionFaults({ script: "x" }, { "millrace.dev/executor": "external" })).toEqual([
      "/metadata/annotations/millrace.dev~1executor belongs to the task that uses the StepAction; remove it here",
    ]);
  });
});

describe("documents", () => {
  const head = "apiVersion: tekton.dev/v1\nkind: StepAction\nmetadata: {name: act}\n";
  const stored = { displayName: "act", type: "stepaction", status: "active", version: 1, verified: false, category: undefined } as const;

  test("are read and written with all that a StepAction can have", () => {
    const spec = `spec:
  params: [{name: v, default: "1.0"}]
  results: [{name: r, type: array}]
  image: alpine
  args: ["$(params.v)"]
  env: [{name: A, value: yes}]
  workingDir: /w
  securityContext: {runAsUser: 5}
  volumeMounts: [{name: $(params.v), mountPath: /v}]
`;
    const content = contentOfDocument(readTaskDocument(head + spec).definition);
    expect(content).toMatchObject({ type: "stepaction", spec: { arguments: ["$(params.v)"], envs: [{ name: "A", value: "yes" }] } });
    expect(findActionFaults(content)).toEqual([]);
    const written = { ...content, ...stored, icon: undefined, labels: {} };
    const again = contentOfDocument(readTaskDocument(writeTaskDocument(written)).definition);
    expect({ ...again.spec, ...actionOf(again.spec, "act") }).toEqual({ ...content.spec, ...actionOf(content.spec, "act") });
    expect(writeTaskDocument(written, content.document)).toContain("kind: StepAction");
  });

  test("say what no StepAction has, in their own words", () => {
    const faults = (spec: string) => findActionFaults(contentOfDocument(readTaskDocument(head + spec).definition)).map(({ path }) => path);
    expect(faults("spec: {script: x, arguments: [a], onError: continue}\n")).toEqual(["/spec/arguments", "/spec/onError"]);
    expect(() => readTaskDocument(`${head}spec: {script: [x]}\n`)).toThrow("spec.script must be a text");
  });
});

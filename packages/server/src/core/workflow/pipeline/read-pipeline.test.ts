import { describe, expect, test } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { readPipelineDocument } from "./pipeline-document.ts";
import { readPipeline } from "./read-pipeline.ts";

const head = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: build}\n";
const read = (text: string) => readPipeline(readPipelineDocument(text).definition);
const readSpec = (spec: string) => read(`${head}spec: ${spec}\n`);
const readTasks = (tasks: string, more = "") => readSpec(`{tasks: [${tasks}]${more}}`);

function refusal(make: () => unknown): AppError {
  try {
    make();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was read");
}

/** Links as `from`, `from!failure`, `from?condition`. */
function linksOf(tasks: string, more = ""): Record<string, string[]> {
  const { workflow, refusals } = readTasks(tasks, more);
  expect(refusals).toEqual([]);
  return Object.fromEntries(
    workflow.tasks.map(({ name, dependencies }) => [
      name,
      (dependencies ?? []).map(({ taskRef, executionCondition, decisionCondition }) => {
        const condition = executionCondition === "success" ? "" : `!${executionCondition}`;
        return decisionCondition == null ? `${taskRef}${condition}` : `${taskRef}?${decisionCondition}`;
      }),
    ]),
  );
}

test("a pipeline becomes a workflow with the same tasks, parameters and workspaces", () => {
  const { workflow, refusals, notes, embedded } = read(`
apiVersion: tekton.dev/v1
kind: Pipeline
metadata:
  name: build-and-test
  labels: { app: shop }
  annotations: { example.com/owner: team-a }
spec:
  displayName: Build and test
  description: Builds it, tests it
  params:
    - { name: revision, default: main, description: What to build }
    - { name: repo, type: string }
    - { name: flags, type: array, default: [-v, "1.0"] }
    - { name: image, type: object, properties: { tag: { type: string } }, default: { tag: latest } }
    - { name: mode, enum: [fast, full], default: fast }
  workspaces:
    - { name: source, description: The code }
  tasks:
    - name: fetch
      taskRef: { name: git-clone }
      params: [{ name: url, value: $(params.repo) }, { name: revision, value: $(params.revision) }]
      workspaces: [{ name: output, workspace: source }]
    - name: test
      runAfter: [fetch]
      taskRef: { name: unit-tests, kind: Task }
      retries: 2
      timeout: 1h30m
      params:
        - { name: args, value: ["$(params.flags[*])", "$(tasks.fetch.results.commit)"] }
        - { name: run, value: $(context.pipelineRun.name) }
      workspaces: [{ name: source }]
`);
  expect([refusals, notes, embedded]).toEqual([[], [], []]);
  expect(workflow).toMatchObject({
    name: "build-and-test",
    displayName: "Build and test",
    description: "Builds it, tests it",
    labels: { app: "shop" },
    annotations: { "example.com/owner": "team-a" },
    params: [
      { name: "revision", type: "text", default: "main", description: "What to build" },
      { name: "repo", type: "text", required: true },
      { name: "flags", type: "multiselect", default: ["-v", "1.0"] },
      { name: "image", type: "json", properties: { tag: { type: "string" } }, default: { tag: "latest" } },
      { name: "mode", type: "select", options: [{ key: "fast" }, { key: "full" }], default: "fast" },
    ],
    workspaces: [{ name: "workflowrun", type: "workflowrun", description: "The code" }],
  });
  expect(workflow.tasks).toMatchObject([
    {
      name: "fetch",
      taskRef: "git-clone",
      dependencies: [],
      params: [
        { name: "url", value: "$(workflow.params.repo)" },
        { name: "revision", value: "$(workflow.params.revision)" },
      ],
      workspaces: [{ name: "output", type: "workflowrun" }],
    },
    {
      name: "test",
      taskRef: "unit-tests",
      dependencies: [{ taskRef: "fetch", executionCondition: "success" }],
      retry: { count: 2, backoffMs: 0 },
      timeout: 90,
      params: [
        { name: "args", value: ["$(workflow.params.flags[*])", "$(tasks.fetch.results.commit)"] },
        { name: "run", value: "$(context.params.workflowrun-ref)" },
      ],
    },
  ]);
});

describe("the order of tasks", () => {
  test("follows runAfter and the results that a task uses; finally comes after all, however they end", () => {
    expect(
      linksOf(
        "{name: a, taskRef: {name: t}}, {name: b, taskRef: {name: t}, params: [{name: x, value: $(tasks.a.results.r)}]}, {name: c, taskRef: {name: t}, runAfter: [a]}",
        ", finally: [{name: z, taskRef: {name: t}}, {name: y, taskRef: {name: t}, params: [{name: x, value: $(tasks.a.results.r)}]}]",
      ),
    ).toEqual({ a: [], b: ["a"], c: ["a"], z: ["start!always", "b!always", "c!always"], y: ["start!always", "b!always", "c!always", "a"] });
  });

  test("a when is a switch before the task; each value matches itself only", () => {
    expect(
      linksOf(
        "{name: a, taskRef: {name: t}}, {name: b, taskRef: {name: t}, runAfter: [a], when: [{input: $(params.x), operator: in, values: [a.b, '', main]}, {input: y, operator: notin, values: [y]}]}",
        ", params: [{name: x}]",
      ),
    ).toEqual({
      a: [],
      "b when": ["a"],
      "b when 2": ["a"],
      b: ["b when?a\\.b\n(?:)\nmain", "b when 2!always"],
      end: ["b when 2?y"],
    });
  });

  test("a task that only runs after one with a when runs unless that failed; one that uses its results needs them", () => {
    const guarded =
      "{name: a, taskRef: {name: t}}, {name: b, taskRef: {name: t}, runAfter: [a], when: [{input: y, operator: in, values: [y]}]}";
    expect(linksOf(`${guarded}, {name: c, taskRef: {name: t}, runAfter: [b]}`)).toEqual({
      a: [],
      "b when": ["a"],
      b: ["b when?y"],
      "b succeeded": ["b"],
      "b failed": ["b when?y", "b succeeded!always"],
      c: ["b!always", "start!always", "b failed!always", "a"],
      end: ["b succeeded?yes", "b failed?yes"],
    });
    expect(linksOf(`${guarded}, {name: c, taskRef: {name: t}, params: [{name: x, value: $(tasks.b.results.r)}]}`)).toMatchObject({
      c: ["b"],
    });
  });

  test("onError: continue makes a failure count as handled, and what follows runs", () => {
    expect(linksOf("{name: a, taskRef: {name: t}, onError: continue}, {name: b, taskRef: {name: t}, runAfter: [a]}")).toEqual({
      a: [],
      b: ["a!always"],
      end: ["a!failure"],
    });
  });
});

test("a matrix runs over its list, or over all combinations of several", () => {
  const forEachOf = (matrix: string) => readTasks(`{name: a, taskRef: {name: t}, matrix: ${matrix}}`).workflow.tasks[0];
  expect(forEachOf("{params: [{name: os, value: [linux, mac]}]}")).toMatchObject({
    forEach: { items: ["linux", "mac"], parallel: 256 },
    params: [{ name: "os", value: "$(params.item)" }],
  });
  expect(forEachOf("{params: [{name: os, value: '$(tasks.b.results.r[*])'}]}")).toMatchObject({
    forEach: { items: "$(tasks.b.results.r[*])" },
  });
  expect(forEachOf("{params: [{name: os, value: [linux, mac]}, {name: a.b, value: [1, 2]}]}")).toMatchObject({
    forEach: {
      items: [
        { os: "linux", "a.b": "1" },
        { os: "linux", "a.b": "2" },
        { os: "mac", "a.b": "1" },
        { os: "mac", "a.b": "2" },
      ],
    },
    params: [
      { name: "os", value: "$(params.item.os)" },
      { name: "a.b", value: "$(params.item['a.b'])" },
    ],
  });
  expect(forEachOf("{include: [{name: x, params: [{name: os, value: linux}]}, {params: [{name: os, value: mac}]}]}")).toMatchObject({
    forEach: { items: [{ os: "linux" }, { os: "mac" }] },
  });
});

test("results of the pipeline are set by tasks of their own", () => {
  const { workflow } = readTasks("{name: a, taskRef: {name: t}}", ", results: [{name: image, value: v-$(tasks.a.results.tag)}]");
  expect(workflow.tasks[1]).toMatchObject({
    name: "result image",
    taskRef: "set-result-parameter",
    dependencies: [{ taskRef: "a", executionCondition: "success" }],
    params: [
      { name: "output", value: "image" },
      { name: "value", value: "v-$(tasks.a.results.tag)" },
    ],
  });
});

test("a taskSpec is a task of the team; its steps see the parameters of the pipeline", () => {
  const { workflow, embedded } = readSpec(
    "{params: [{name: who}], tasks: [{name: greet, taskSpec: {metadata: {labels: {a: b}}, params: [{name: own, default: x}], steps: [{name: s, script: echo $(params.who) $(params.own)}]}}]}",
  );
  expect(workflow.tasks).toMatchObject([{ taskRef: "build-greet", params: [{ name: "who", value: "$(workflow.params.who)" }] }]);
  expect(embedded).toMatchObject([
    {
      node: "greet",
      definition: { metadata: { name: "build-greet", labels: { a: "b" }, annotations: { "millrace.dev/pipeline": "build" } } },
    },
  ]);
  expect(embedded[0]?.definition.spec).not.toHaveProperty("metadata");
});

describe("a PipelineRun", () => {
  const run = (spec: string, metadata = "{generateName: nightly-}") =>
    read(`apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: ${metadata}\nspec: ${spec}\n`);

  test("is the workflow of its pipelineSpec, with its values as defaults", () => {
    const { workflow, refusals, notes } = run(
      "{params: [{name: a, value: x}, {name: extra, value: y}], timeouts: {pipeline: 2h, tasks: 1h}, taskRunTemplate: {serviceAccountName: bot}, " +
        "workspaces: [{name: src, volumeClaimTemplate: {spec: {resources: {requests: {storage: 2Gi}}}}}, {name: cache, persistentVolumeClaim: {claimName: c}}], " +
        "pipelineSpec: {params: [{name: a}], workspaces: [{name: src}, {name: cache}], tasks: [{name: t, taskRef: {name: t}}]}}",
    );
    expect(refusals).toEqual([]);
    expect(workflow).toMatchObject({
      name: "nightly",
      timeout: 120,
      params: [
        { name: "a", default: "x" },
        { name: "extra", default: "y" },
      ],
      workspaces: [{ type: "workflowrun", spec: { size: "2Gi" } }, { type: "workflow" }],
    });
    expect(notes.map(({ path }) => path)).toEqual([
      "/spec/taskRunTemplate",
      "/spec/timeouts/tasks",
      "/spec/workspaces/1/persistentVolumeClaim",
    ]);
  });

  test("uses the size of a claim, and says that nothing else of it has an effect", () => {
    const spec =
      "{pipelineSpec: {workspaces: [{name: w}], tasks: [{name: t, taskRef: {name: t}}]}, workspaces: [{name: w, volumeClaimTemplate: ";
    const size = "resources: {requests: {storage: 2Gi}}";
    const claim = (template: string) => run(`${spec}${template}}]}`);
    expect(claim(`{spec: {${size}}}`).notes).toEqual([]);
    for (const template of [`{spec: {${size}, storageClassName: fast}}`, `{metadata: {name: x}, spec: {${size}}}`, "{spec: 5}", "null"])
      expect(claim(template).notes).toMatchObject([{ path: "/spec/workspaces/0/volumeClaimTemplate" }]);
    const text = `apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: r}\nspec: ${spec}{spec: {${size}}}}]}\n`;
    expect(readPipelineDocument(text).unknown).toEqual([]);
  });

  test.each([
    ["podTemplate: {hostNetwork: true}", "/spec/podTemplate/hostNetwork"],
    ["taskRunTemplate: {podTemplate: {hostNetwork: 'yes'}}", "/spec/taskRunTemplate/podTemplate/hostNetwork"],
    ["taskRunSpecs: [{}, {podTemplate: {hostNetwork: true}}]", "/spec/taskRunSpecs/1/podTemplate/hostNetwork"],
  ])("that asks for the network of the machine is refused with the annotation and the settings for it: %s", (spec, path) => {
    const pipelineSpec = "pipelineSpec: {tasks: [{name: t, taskRef: {name: t}}]}";
    const message = expect.stringMatching(/millrace\.dev\/network: host.*MILLRACE_ALLOW_HOST_NETWORK=true and allowHostNetwork/);
    expect(run(`{${spec}, ${pipelineSpec}}`).refusals).toEqual([{ path, message }]);
    expect(run(`{${spec.replace(/true|'yes'/, "false")}, ${pipelineSpec}}`).refusals).toEqual([]);
  });

  test("that names a pipeline is refused with what to do", () => {
    expect(run("{pipelineRef: {name: p}}").refusals).toMatchObject([
      { path: "/spec/pipelineRef", message: expect.stringContaining("submit a run") },
    ]);
    expect(run("{}").refusals.map(({ path }) => path)).toContain("/spec");
    expect(run("{pipelineSpec: {tasks: [{name: t, taskRef: {name: t}}]}}", "{}").refusals).toMatchObject([{ path: "/metadata" }]);
  });
});

test("a matrix with an empty list has no combinations, and none of the others is made", () => {
  const list = (name: string, size: number) => `{name: ${name}, value: [${"1, ".repeat(size)}]}`;
  const expectWithin = startWork();
  const { workflow, refusals } = readTasks(
    `{name: a, taskRef: {name: t}, matrix: {params: [${[list("x", 3_000), list("y", 3_000), list("z", 0)].join(", ")}]}}`,
  );
  expectWithin(2_000);
  expect([refusals, workflow.tasks[0]?.forEach?.items]).toEqual([[], []]);
});

test("a chain of tasks with when has an end, since each hands on all that it waits for", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, at) => {
      const order = at === 0 ? "" : `, runAfter: [t${at - 1}]`;
      return `{name: t${at}, taskRef: {name: t}, when: [{input: x, operator: in, values: [x]}]${order}}`;
    }).join(", ");
  expect(readTasks(chain(90)).refusals).toEqual([]);
  const message = "need more than 10000 dependencies; use fewer tasks with `when`";
  expect(readTasks(chain(300)).refusals).toEqual([{ path: "/spec/tasks", message }]);
});

test("combinations of a hundred lists are made in a moment", () => {
  const lists = Array.from({ length: 100 }, (_, at) => `{name: p${at}, value: [${at < 2 ? "1, ".repeat(100) : "1"}]}`);
  const expectWithin = startWork();
  const { workflow } = readTasks(`{name: a, taskRef: {name: t}, matrix: {params: [${lists.join(", ")}]}}`);
  expectWithin(6_000);
  expect(workflow.tasks[0]?.forEach?.items).toHaveLength(10_000);
});

test.each([
  ["a cycle", "{name: a, taskRef: {name: t}, runAfter: [b]}, {name: b, taskRef: {name: t}, runAfter: [a]}", "/spec/tasks", "cycle: "],
  ["itself", "{name: a, taskRef: {name: t}, params: [{name: x, value: $(tasks.a.results.r)}]}", "/spec/tasks", "cycle"],
  ["a task that is not there", "{name: a, taskRef: {name: t}, runAfter: [x]}", "/spec/tasks/0/runAfter", "not one of the tasks"],
  ["a reserved name", "{name: end, taskRef: {name: t}}", "/spec/tasks/0/name", "reserved"],
  ["a name with a space", "{name: a when, taskRef: {name: t}}", "/spec/tasks/0/name", "letters"],
  ["a pipeline inside", "{name: a, pipelineSpec: {tasks: []}}", "/spec/tasks/0/pipelineSpec", "run-workflow"],
  ["no task", "{name: a}", "/spec/tasks/0", "taskRef"],
  ["two tasks", "{name: a, taskRef: {name: t}, taskSpec: {steps: [{script: x}]}}", "/spec/tasks/0", "both"],
  ["a resolver", "{name: a, taskRef: {resolver: git, params: []}}", "/spec/tasks/0/taskRef/resolver", "by its name"],
  ["a custom task", "{name: a, taskRef: {apiVersion: example.com/v1, kind: Wait, name: w}}", "/spec/tasks/0/taskRef/kind", "custom task"],
  ["an embedded custom task", "{name: a, taskSpec: {apiVersion: x/v1, kind: Y, spec: {}}}", "/spec/tasks/0/taskSpec/kind", "custom"],
  ["the task of another team", "{name: a, taskRef: {name: other/t}}", "/spec/tasks/0/taskRef/name", "slash"],
  ["CEL", "{name: a, taskRef: {name: t}, when: [{cel: \"'a' == 'b'\"}]}", "/spec/tasks/0/when/0/cel", "operator"],
  ["a when without values", "{name: a, taskRef: {name: t}, when: [{input: a, operator: in}]}", "/spec/tasks/0/when/0", "values"],
  [
    "a reference among values",
    "{name: a, taskRef: {name: t}, when: [{input: a, operator: in, values: [$(params.x)]}]}",
    "/spec/tasks/0/when/0/values/0",
    "reference",
  ],
  ...["$(tasks.status)", "$(tasks.b.status)", "$(tasks.b.matrix.length)", "$(finally.b.results.r)", "$(context.pipelineRun.namespace)"].map(
    (reference): [string, string, string, string] => [
      `${reference} among values`,
      `{name: a, taskRef: {name: t}, when: [{input: a, operator: in, values: [b, ${reference}]}]}`,
      "/spec/tasks/0/when/0/values/1",
      "reference",
    ],
  ),
  ...["$(tasks.b.matrix.length)", "$(tasks.b.matrix.r.length)", "$(tasks.b.outputs.image)"].map(
    (reference): [string, string, string, string] => [
      reference,
      `{name: b, taskRef: {name: t}}, {name: a, taskRef: {name: t}, params: [{name: x, value: ${reference}}]}`,
      "/spec/tasks/1/params",
      `${reference}: only results`,
    ],
  ),
  ...[
    ["stepTemplate", "{env: [{name: X, value: $(tasks.b.results.r)}]}"],
    ["sidecars", "[{name: s, image: $(tasks.b.results.r)}]"],
    ["volumes", "[{name: v, secret: {secretName: $(tasks.b.results.r)}}]"],
  ].map(([member, value]): [string, string, string, string] => [
    `${member} that uses results of tasks`,
    `{name: a, taskSpec: {steps: [{script: x}], ${member}: ${value}}}`,
    `/spec/tasks/0/taskSpec/${member}`,
    "parameter",
  ]),
  [
    "steps that use a workspace of the pipeline",
    "{name: a, taskSpec: {workspaces: [{name: own}], steps: [{script: ls $(workspaces.own.path) $(workspaces.shared.path)}]}}",
    "/spec/tasks/0/taskSpec/steps",
    "workspace shared, which it does not declare",
  ],
  [
    "the status of a task",
    "{name: a, taskRef: {name: t}, params: [{name: x, value: $(tasks.b.status)}]}",
    "/spec/tasks/0/params",
    "status",
  ],
  [
    "the namespace",
    "{name: a, taskRef: {name: t}, params: [{name: x, value: $(context.pipelineRun.namespace)}]}",
    "/spec/tasks/0/params",
    "name",
  ],
  ["an unknown onError", "{name: a, taskRef: {name: t}, onError: ignore}", "/spec/tasks/0/onError", "continue"],
  ["a timeout", "{name: a, taskRef: {name: t}, timeout: soon}", "/spec/tasks/0/timeout", "duration"],
  ["a workspace", "{name: a, taskRef: {name: t}, workspaces: [{name: w}]}", "/spec/tasks/0/workspaces/0", "does not declare"],
  [
    "too many combinations",
    `{name: a, taskRef: {name: t}, matrix: {params: [${Array.from({ length: 30 }, (_, at) => `{name: p${at}, value: [a, b, c]}`).join(", ")}]}}`,
    "/spec/tasks/0/matrix",
    "10000",
  ],
  [
    "include beside params",
    "{name: a, taskRef: {name: t}, matrix: {params: [{name: x, value: [a]}], include: [{name: y}]}}",
    "/spec/tasks/0/matrix/include",
    "params",
  ],
  [
    "odd entries",
    "{name: a, taskRef: {name: t}, matrix: {include: [{params: [{name: x, value: a}]}, {params: []}]}}",
    "/spec/tasks/0/matrix/include/1/params",
    "same",
  ],
  [
    "two tasks inside that would be saved under one name",
    "{name: a_b, taskSpec: {steps: [{script: one}]}}, {name: a-b, taskSpec: {steps: [{script: two}]}}",
    "/spec/tasks/1/taskSpec",
    "is saved as the task build-a-b, like that of the task a_b; rename one of the two",
  ],
  [
    "an entry without a value",
    "{name: a, taskRef: {name: t}, matrix: {include: [{params: [{name: x}]}]}}",
    "/spec/tasks/0/matrix/include/0/params",
    "value",
  ],
  [
    "an entry with two values of one name",
    "{name: a, taskRef: {name: t}, matrix: {include: [{params: [{name: x, value: a}, {name: x, value: b}]}]}}",
    "/spec/tasks/0/matrix/include/0/params",
    "each once",
  ],
  [
    "a name that no item can have",
    "{name: a, taskRef: {name: t}, matrix: {params: [{name: __proto__, value: [a]}, {name: x, value: [b]}]}}",
    "/spec/tasks/0/matrix",
    "__proto__",
  ],
  [
    "steps that use results of tasks",
    "{name: a, taskSpec: {steps: [{script: echo $(tasks.b.results.r)}]}}",
    "/spec/tasks/0/taskSpec/steps",
    "parameter",
  ],
])("refuses %s, naming it", (_what, tasks, path, message) => {
  expect(readTasks(tasks).refusals).toContainEqual({ path, message: expect.stringContaining(message) });
});

test.each([
  ["two workspaces of a run", "{workspaces: [{name: a}, {name: b}], tasks: [{name: t, taskRef: {name: t}}]}", "/spec/workspaces/1"],
  [
    "a default with a reference",
    "{params: [{name: a, default: $(params.b)}], tasks: [{name: t, taskRef: {name: t}}]}",
    "/spec/params/0/default",
  ],
  [
    "a default of another type",
    "{params: [{name: a, type: array, default: x}], tasks: [{name: t, taskRef: {name: t}}]}",
    "/spec/params/0/default",
  ],
  [
    "a default that is no choice",
    "{params: [{name: a, enum: [x], default: y}], tasks: [{name: t, taskRef: {name: t}}]}",
    "/spec/params/0/default",
  ],
  ["no tasks", "{tasks: []}", "/spec/tasks"],
  [
    "runAfter in finally",
    "{tasks: [{name: t, taskRef: {name: t}}], finally: [{name: f, taskRef: {name: t}, runAfter: [t]}]}",
    "/spec/finally/0/runAfter",
  ],
  [
    "a result of nothing",
    "{tasks: [{name: t, taskRef: {name: t}}], results: [{name: r, value: $(tasks.x.results.r)}]}",
    "/spec/results/0/value",
  ],
  [
    "a result of finally",
    "{tasks: [{name: t, taskRef: {name: t}}], results: [{name: r, value: $(finally.x.results.r)}]}",
    "/spec/results/0/value",
  ],
])("refuses %s", (_what, spec, path) => {
  expect(readSpec(spec).refusals.map((found) => found.path)).toContain(path);
});

describe("metadata of a run", () => {
  const run = (metadata: string) =>
    read(
      `apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: ${metadata}\nspec: {pipelineSpec: {tasks: [{name: t, taskRef: {name: t}}]}}\n`,
    );

  test("may have labels and annotations without a value", () => {
    expect(run("{name: r, labels: null, annotations: }").workflow.annotations).toEqual({ "millrace.dev/pipeline": expect.anything() });
  });

  test.each(["text", "[a, b]"])("has no annotations that are no map: %s", (annotations) => {
    expect(refusal(() => run(`{name: r, annotations: ${annotations}}`)).message).toContain("metadata.annotations must be a map");
  });

  test("has no parameters without a name that is a text", () => {
    const forms = "{name: r, annotations: {millrace.dev/params: '[{name: {toString: x}}]'}}";
    expect(refusal(() => run(forms)).message).toContain("entry 1 whose name is not text");
  });
});

test("what has no effect is named: metadata of a cluster, minutes that were rounded, a name that changes", () => {
  const { notes, refusals } = read(
    "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: My.Build, namespace: ci}\nspec: {tasks: [{name: t, taskRef: {name: t, kind: ClusterTask}, timeout: 90s}]}\n",
  );
  expect(refusals).toEqual([]);
  expect(notes.map(({ path }) => path)).toEqual([
    "/metadata/name",
    "/metadata/namespace",
    "/spec/tasks/0/taskRef/kind",
    "/spec/tasks/0/timeout",
  ]);
});

describe("bad documents are refused with line and column", () => {
  test.each([
    [
      "aliases of aliases",
      `${head}spec:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefg"].map((name, at) => `  ${name}: &${name} [${`*${"abcdef"[at]},`.repeat(9)}]\n`).join("")}`,
      "50000 values",
    ],
    ["a key twice", `${head}spec: {tasks: [], tasks: []}\n`, "line 4, column 19: the key tasks appears twice"],
    ["__proto__", `${head}spec: {tasks: [{name: a, __proto__: {x: y}}]}\n`, "__proto__"],
    ["an unknown anchor", `${head}spec: {tasks: *x}\n`, "anchor"],
    [
      "a task beside it",
      `${head}spec: {tasks: []}\n---\napiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: t}\n`,
      "2 documents (Pipeline build, Task t)",
    ],
    ["a task", "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: t}\n", "/task"],
    ["a workflow", "name: w\ntasks: []\n", "or neither kind nor apiVersion"],
    ["nothing", "", "empty"],
    ["10,000 tasks", `${head}spec:\n  tasks:\n${"  - {name: a, taskRef: {name: t}}\n".repeat(10_000)}`, "50000 tokens"],
    ["five megabytes", `${head}spec: {description: ${"x".repeat(5_000_000)}}\n`, "1048576 characters"],
    ["a wrong type", `${head}spec: {tasks: {a: b}}\n`, "line 4, column 15: spec.tasks must be a list"],
    ["too many retries", `${head}spec: {tasks: [{name: a, retries: 1000}]}\n`, "retries"],
    ["an operator", `${head}spec: {tasks: [{name: a, when: [{input: a, operator: is, values: [a]}]}]}\n`, "in, notin"],
  ])("%s", (_what, text, message) => {
    const error = refusal(() => readPipelineDocument(text));
    expect(error.reason).toBe("VALIDATION_FAILED");
    expect(error.message).toContain(message);
  });

  test("a document of another product is named", () => {
    expect(refusal(() => readPipelineDocument("on: push\njobs: {a: {steps: []}}\n")).reason).toBe("WORKFLOW_FOREIGN_DOCUMENT");
  });

  test("members that nobody knows are found", () => {
    expect(readPipelineDocument(`${head}spec: {tasks: [{name: a, runafter: [b]}]}\n`).unknown).toMatchObject([
      { path: "/spec/tasks/0/runafter" },
    ]);
  });
});

import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { writeYaml } from "../../document/write-yaml.ts";
import { contentOfDocument } from "../../task/tekton/content-of-document.ts";
import { checkGraph } from "../checks/check-graph.ts";
import { documentOf, documentTask } from "../workflow-document.ts";
import { readPipelineDocument } from "./pipeline-document.ts";
import { pipelineFaults } from "./pipeline-faults.ts";
import { readPipeline } from "./read-pipeline.ts";
import { writePipeline } from "./write-pipeline.ts";

/** The document that a save would store. */
function stored(input: WorkflowInput) {
  const document = documentOf(input);
  const { nodes, problems } = checkGraph(document.tasks, { makeMarker: (type) => documentTask({ name: type, type }) });
  expect(problems).toEqual([]);
  return {
    ...document,
    tasks: nodes.map((node) => ({ ...node, ...(node.type === undefined && { type: "template" as const }), taskVersion: 1 })),
  };
}

function thereAndBack(text: string): unknown {
  const read = readPipeline(readPipelineDocument(text).definition);
  expect(read.refusals).toEqual([]);
  const { name, displayName = name, description = null, icon = null, labels, annotations } = read.workflow;
  const document = stored(read.workflow);
  const embedded = new Map(
    read.embedded.map(({ node, definition }) => [node, { spec: contentOfDocument(definition).document!, metadata: definition.metadata }]),
  );
  const workflow = { name, displayName: displayName ?? name, description, icon, document };
  const pipeline = writePipeline({ ...workflow, labels: labels as Record<string, string>, annotations: annotations ?? {} }, embedded);
  expect(pipelineFaults(document, pipeline)).toEqual([]);
  return parse(writeYaml(pipeline), { version: "1.1" });
}

test("a pipeline that became a workflow is written as it was", () => {
  const text = `
apiVersion: tekton.dev/v1
kind: Pipeline
metadata:
  name: release
  labels: { app: shop }
  annotations: { example.com/owner: team-a, millrace.dev/params: [{ name: key, label: Key, type: password }] }
spec:
  displayName: Release
  description: "Builds: and ships"
  params:
    - { name: revision, default: main, description: What to build }
    - { name: repo, type: string }
    - { name: flags, type: array, default: [-v, "1.0"] }
    - { name: image, type: object, properties: { tag: { type: string } }, default: { tag: latest } }
    - { name: mode, type: string, enum: [fast, full], default: fast }
    - { name: key, type: string }
  workspaces: [{ name: source, description: The code, optional: true }, { name: workflow }]
  tasks:
    - name: fetch
      displayName: Fetch it
      taskRef: { name: git-clone, kind: Task, apiVersion: tekton.dev/v1 }
      params: [{ name: url, value: "$(params.repo)" }, { name: run, value: "$(context.pipelineRun.uid) of $(context.pipeline.name)" }]
      workspaces: [{ name: output, workspace: source }]
      retries: 0
    - name: test
      runAfter: [fetch]
      taskRef: { name: unit-tests }
      retries: 2
      timeout: 1h30m0s
      onError: continue
      params: [{ name: args, value: ["$(params.flags[*])", "$(tasks.fetch.results.commit)"] }]
    - name: many
      taskRef: { name: probe }
      when: [{ input: "$(params.mode)", operator: in, values: [full, ""] }, { input: "$(tasks.fetch.results.x)", operator: notin, values: ["a.b|c"] }]
      matrix: { params: [{ name: os, value: [linux, mac] }, { name: node, value: ["20", "22"] }] }
    - name: say
      runAfter: [many, test]
      taskSpec:
        metadata: { labels: { a: b }, annotations: { c: d } }
        params: [{ name: who, type: string, default: you }]
        results: [{ name: said, description: What it said }]
        steps: [{ name: say, image: alpine, script: "echo $(params.who) $(params.repo) > $(results.said.path)" }]
  finally:
    - name: clean
      taskRef: { name: clean }
      when: [{ input: "$(tasks.fetch.results.commit)", operator: notin, values: [""] }]
  results:
    - { name: said, type: string, description: All of it, value: "$(tasks.say.results.said)" }
`;
  expect(thereAndBack(text)).toEqual(parse(text));
});

const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,6}[a-z0-9])?$/).filter((one) => one !== "start" && one !== "end");
const word = fc.oneof(
  fc.string({ maxLength: 8 }).filter((one) => !one.includes("$(") && !/\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/u.test(one)),
  fc.constantFrom("no", "1.0", "", "a.b*"),
);
const when = fc.record({
  input: fc.constantFrom("x", "$(params.p)"),
  operator: fc.constantFrom("in", "notin"),
  values: fc.array(word, { minLength: 1, maxLength: 3 }),
});

/** Tasks refer only to earlier ones. */
const pipelines = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
    seeds: fc.array(
      fc.record({
        before: fc.array(fc.nat(5), { maxLength: 3 }),
        needs: fc.option(fc.nat(5)),
        when: fc.option(fc.array(when, { minLength: 1, maxLength: 2 })),
        value: fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom("$(params.p)", "a $(params.p) b")),
        onError: fc.option(fc.constant("continue")),
        retries: fc.option(fc.nat(3)),
        timeout: fc.option(fc.constantFrom("1h", "90m", "0s", "5m0s")),
        matrix: fc.option(fc.array(word, { minLength: 1, maxLength: 3 })),
        isLast: fc.boolean(),
      }),
      { minLength: 6, maxLength: 6 },
    ),
  })
  .map(({ names, seeds }) => {
    const tasks = names.map((own, index) => {
      const { before, needs, value, matrix, isLast: _isLast, ...seed } = seeds[index]!;
      const runAfter = [...new Set(before.filter((at) => at < index).map((at) => names[at]!))];
      const given = Object.fromEntries(Object.entries(seed).filter(([, member]) => member !== null));
      const params = [
        { name: "v", value },
        ...(needs !== null && needs < index ? [{ name: "r", value: `$(tasks.${names[needs]}.results.out)` }] : []),
      ];
      return {
        name: own,
        taskRef: { name: "t" },
        ...given,
        ...(runAfter.length > 0 && { runAfter }),
        params,
        ...(matrix && { matrix: { params: [{ name: "m", value: matrix }] } }),
      };
    });
    const last = [
      { name: "last-of-all", taskRef: { name: "t" }, ...(seeds[0]!.isLast && { when: [{ input: "a", operator: "in", values: ["a"] }] }) },
    ];
    const spec = { params: [{ name: "p", default: "d" }], tasks, ...(seeds[1]!.isLast && { finally: last }) };
    return { apiVersion: "tekton.dev/v1", kind: "Pipeline", metadata: { name: "p" }, spec };
  });

test("whatever a pipeline says that is mapped, its workflow gives back an equal document", () => {
  fc.assert(
    fc.property(pipelines, (pipeline) => {
      expect(thereAndBack(writeYaml(pipeline))).toEqual(pipeline);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["an edge that always holds", { dependencies: [{ taskRef: "a" }] }, "/tasks/2/dependencies"],
  ["a failure edge", { dependencies: [{ taskRef: "a", executionCondition: "failure" as const }] }, "/tasks/2/dependencies"],
  ["its own retry", { retry: { count: 1, backoffMs: 5 } }, "/tasks/2/retry"],
  ["where it runs", { annotations: { "millrace.dev/runs-on": "gpu" } }, "/tasks/2/annotations"],
  ["a number", { params: [{ name: "n", value: 5 }] }, ""],
  [
    "an annotation of ours that holds nonsense",
    { annotations: { "millrace.dev/pipeline-task": { runAfter: "x", matrix: 5, workspaces: [null], when: 7 } } },
    "",
  ],
])("what a Pipeline can't say is named: %s", (_what, task, path) => {
  const document = stored({
    name: "w",
    tasks: [
      { name: "a", taskRef: "t" },
      { name: "b", taskRef: "t", ...task },
    ],
  });
  const pipeline = writePipeline(
    { name: "w", displayName: "w", description: null, icon: null, labels: {}, annotations: {}, document },
    new Map(),
  );
  expect(pipelineFaults(document, pipeline).map((fault) => fault.path)).toContain(path);
});

test("annotations of ours can hold anything, also what can't become a text", () => {
  const odd = fc.constantFrom<unknown>({ toString: 1 }, [{ name: { toString: 1 } }], [[{ toString: 1, valueOf: 2 }]], null, 5, "x", [null]);
  const members = ["taskRef", "runAfter", "when", "matrix", "workspaces", "timeout", "retries", "onError", "finally", "untyped", "result"];
  const annotation = fc.oneof(odd, fc.dictionary(fc.constantFrom(...members), fc.oneof(odd, fc.record({ params: odd, include: odd }))));
  fc.assert(
    fc.property(annotation, annotation, annotation, (own, helper, kept) => {
      const task = { name: "a", taskRef: "t", workspaces: [{ name: "w", type: "workflow" }], forEach: { items: ["1"], parallel: 1 } };
      const annotations = { "millrace.dev/pipeline-task": own, ...(helper !== null && { "millrace.dev/pipeline-helper": helper }) };
      const document = stored({ name: "w", workspaces: [{ name: "workflow", type: "workflow" }], tasks: [{ ...task, annotations }] });
      const workflow = { name: "w", displayName: "w", description: null, icon: null, labels: {}, document };
      const pipeline = writePipeline({ ...workflow, annotations: { "millrace.dev/pipeline": kept } }, new Map());
      expect(pipelineFaults(document, pipeline)).toBeInstanceOf(Array);
    }),
    { numRuns: 200 },
  );
});

test("a workflow of success links can be said, and so can its parameters", () => {
  const document = stored({
    name: "w",
    params: [
      { name: "to", type: "email", label: "To", required: true },
      { name: "n", type: "number", default: 5 },
    ],
    workspaces: [{ name: "workflow", type: "workflow" }],
    tasks: [
      { name: "a", taskRef: "t" },
      {
        name: "b",
        taskRef: "t",
        dependencies: [{ taskRef: "a", executionCondition: "success" }],
        params: [{ name: "x", value: "$(params.to)" }],
      },
    ],
  });
  const pipeline = writePipeline(
    { name: "w", displayName: "W", description: "d", icon: "Bot", labels: {}, annotations: {}, document },
    new Map(),
  );
  expect(pipelineFaults({ ...document, params: document.params }, pipeline)).toEqual([]);
  expect(pipeline.spec.tasks?.[1]).toEqual({
    name: "b",
    taskRef: { name: "t" },
    runAfter: ["a"],
    params: [{ name: "x", value: "$(params.to)" }],
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ParamSpec } from "@millrace/contract/common.ts";
import type { Spec } from "@millrace/contract/task/task-definition.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lexer, parse } from "yaml";
import { repositoryRoot } from "../../../base/file/repository-root.ts";
import { mergeLabels } from "../../workflow/labels.ts";
import { findTaskFaults } from "./check-task.ts";
import { contentOfDocument } from "./content-of-document.ts";
import { readTaskDocument } from "./read-task-document.ts";
import { contentOfTask, type TaskContent } from "./task-content.ts";
import { taskDocument, type WritableTask, writeTaskDocument } from "./write-task-document.ts";

const own = join(import.meta.dirname, "testdata");
const shipped = join(repositoryRoot, "packages/server/catalog/tasks");
/** Documents of the public catalogue, which is not part of this repository; used only if a copy is found beside it. */
const catalogue = join(repositoryRoot, "../shared/data/tekton-catalog");

function documents(folder: string): [string, string][] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]);
}
const all = [...documents(own), ...documents(shipped), ...documents(catalogue)];

function read(text: string): TaskContent {
  return contentOfDocument(readTaskDocument(text).definition);
}

function writable(content: TaskContent): WritableTask {
  return {
    ...content,
    labels: mergeLabels({}, content.labels),
    type: content.type ?? "template",
    status: "active",
    version: 1,
    verified: false,
  };
}

/** The stored content after a client of the JSON interface has read it and sent it back. */
function throughJson(content: TaskContent): TaskContent {
  const { document: _document, changeReason: _reason, ...task } = content;
  return contentOfTask(JSON.parse(JSON.stringify(task)));
}

function trim(text: string): string {
  return text.trim();
}

/** Without `document`, which only says whether the content came as a document. */
function meaning({ document: _document, ...content }: TaskContent) {
  return { ...content, type: content.type ?? "template" };
}

/** Reads every scalar as the text in the file, so that nothing is lost by parsing numbers. */
function texts(yaml: string): { spec: Spec; metadata: Record<string, unknown> } {
  return parse(yaml, { schema: "failsafe" });
}

test("the documents are there", () => {
  expect(documents(own).length).toBeGreaterThanOrEqual(4);
  expect(documents(shipped).length).toBeGreaterThanOrEqual(17);
  expect([0, 23]).toContain(documents(catalogue).length);
});

describe.each([...documents(shipped), ...documents(catalogue)])("%s", (_file, text) => {
  test("is returned with spec, labels and annotations unchanged", () => {
    const content = read(text);
    const written = texts(writeTaskDocument(writable(content), content.document));
    const original = texts(text);
    expect(written.spec).toEqual(original.spec);
    expect(written.metadata["labels"]).toEqual(original.metadata["labels"]);
    expect(written.metadata["annotations"]).toMatchObject(content.annotations);
  });

  test("is given back with the comments and the layout of its author, but for what the service adds", () => {
    const content = read(text);
    const task = writable(content);
    const written = writeTaskDocument(task, content.document, text);
    expect(readTaskDocument(written)).toMatchObject({ definition: readTaskDocument(writeTaskDocument(task, content.document)).definition });
    for (const line of text.split("\n").filter((one) => /^\s*#/.test(one))) expect(written.split("\n").map(trim)).toContain(line.trim());
    if (!text.includes("resources:") && /^spec:/m.test(text)) expect(written).toContain(text.slice(text.search(/^spec:/m)).trimEnd());
  });

  test("has no fault that keeps it from being saved", () => {
    const content = read(text);
    expect(findTaskFaults(content, (content.type as "template") ?? "template")).toEqual([]);
  });
});

test("a document that is too large with what the service adds is given back without its text", () => {
  const textWith = (count: number) => {
    const annotations = Array.from({ length: count }, (_, index) => `    a${index}: b`).join("\n");
    return `apiVersion: tekton.dev/v1\nkind: Task\nmetadata:\n  name: t\n  annotations:\n${annotations}\nspec: {steps: [{script: x}]} # y`;
  };
  const tokensOfOne = [...new Lexer().lex(textWith(2))].length - [...new Lexer().lex(textWith(1))].length;
  const text = textWith(Math.floor(49_950 / tokensOfOne));
  const content = read(text);
  const written = writeTaskDocument(writable(content), content.document, text);
  expect(() => readTaskDocument(written)).toThrow("50000 tokens");
});

test("a document with an alias in what the service changes, of something outside of it, is given back without its text", () => {
  const text =
    "apiVersion: &v tekton.dev/v1\nkind: Task\nmetadata: {name: t, labels: {version: *v}} # ours\nspec: {steps: [{script: x}]}\n";
  const content = read(text);
  const written = writeTaskDocument(writable(content), content.document, text);
  expect(readTaskDocument(written).definition.metadata.labels).toEqual({ version: "tekton.dev/v1" });
});

describe.each(all)("%s", (_file, text) => {
  test("means the same after it was written and read again", () => {
    const content = read(text);
    const again = read(writeTaskDocument(writable(content), content.document));
    expect(meaning(again)).toEqual(meaning(content));
    expect(again.document).toEqual(taskDocument(writable(content), content.document)["spec"]);
  });

  test("means the same after a client of the JSON interface sent it back", () => {
    const content = read(text);
    const sent = throughJson(content);
    expect(meaning(sent)).toEqual({ ...meaning(content), type: sent.type ?? "template" });
    const again = read(writeTaskDocument(writable({ ...sent, type: content.type })));
    expect(meaning(again)).toEqual(meaning(content));
  });

  test("loses no member of its spec on the way through JSON", () => {
    const content = read(text);
    const written = taskDocument(writable(throughJson(content)))["spec"] as Spec;
    const original = taskDocument(writable(content), content.document)["spec"] as Spec;
    expect(canonical(written)).toEqual(canonical(original));
  });
});

/** A spec with optional parts filled in: types of parameters, the name of the only step, empty lists. */
function canonical({ params, results, steps, description, ...spec }: Spec) {
  return {
    ...spec,
    params: (params ?? []).map(canonicalParam),
    results: results ?? [],
    steps: (steps ?? []).map((step) =>
      Object.fromEntries(Object.entries(step).filter(([, value]) => !Array.isArray(value) || value.length > 0)),
    ),
  };
}

function canonicalParam(param: ParamSpec): ParamSpec {
  const kind = Array.isArray(param.default) ? "array" : typeof param.default === "object" ? "object" : "string";
  return { ...param, type: param.type ?? kind };
}

describe("the documents written manually", () => {
  const byHand = (file: string) => read(readFileSync(join(own, file), "utf8"));

  test("every member is there, also those that nobody here knows", () => {
    const { spec, annotations, ...content } = byHand("build-and-probe.yaml");
    expect(content).toMatchObject({ displayName: "Build and probe", category: "Build Tools", type: undefined });
    expect(annotations).toMatchObject({
      "example.org/notes": "Two lines,\nkept as they are.\n",
      "millrace.dev/document": { metadata: { namespace: "builders" } },
    });
    expect(spec.steps?.[0]).toMatchObject({
      envFrom: [{ secretRef: { name: "registry" } }, { configMapRef: { name: "build-settings" }, prefix: "CFG_" }],
      computeResources: { limits: { cpu: 2, memory: "1Gi", "ephemeral-storage": "4Gi" } },
      securityContext: { privileged: true, capabilities: { add: ["SYS_ADMIN"], drop: ["ALL"] } },
      workspaces: [{ name: "source", mountPath: "/src" }],
    });
    expect(spec.volumes?.[2]).toEqual({
      name: "settings",
      configMap: { name: "build-settings", defaultMode: 0o644, items: [{ key: "settings.xml", path: "settings.xml" }] },
    });
    expect(spec.params.map(({ name, type }) => `${name}:${type}`)).toEqual([
      "goals:multiselect",
      "source:json",
      "mode:text",
      "untyped:text",
      "untyped-list:multiselect",
      "dotted.name:text",
    ]);
    const written = texts(writeTaskDocument(writable(byHand("build-and-probe.yaml")), byHand("build-and-probe.yaml").document));
    expect(written.metadata["namespace"]).toBe("builders");
    expect(written.metadata["annotations"]).not.toHaveProperty("millrace.dev/document");
  });

  test("texts stay as written, and other values are read like Kubernetes does", () => {
    const { spec, labels, annotations, description } = byHand("texts-and-values.yaml");
    expect(labels).toEqual({ version: "1.10", enabled: "yes" });
    expect(annotations).toEqual({ date: "2024-01-01", list: [1, "1", true, 1] });
    expect(description).toBe("42");
    expect(Object.fromEntries(spec.params.map((param) => [param.name, param.default]))).toEqual({
      version: "1.10",
      switch: "on",
      octal: "0755",
      big: "12345678901234567890",
      empty: "",
      none: undefined,
      list: ["1.0", "true", "x"],
      map: { a: "1.0", b: "no" },
      multi: "  indented\n\nless",
    });
    const env = [
      { name: "PORT", value: "8080" },
      { name: "DEBUG", value: "false" },
      { name: "RATIO", value: ".5" },
    ];
    expect(spec.steps).toEqual([
      {
        name: "one",
        image: "alpine:3.20",
        env,
        args: ["1.0", "-1", "0x10", "on", "~", "1_000"],
        securityContext: { runAsUser: 0, runAsNonRoot: false },
      },
      { name: "two", image: "alpine:3.20", env, script: '#!/bin/sh\necho "tab\there"\r\n', timeout: "0", onError: "continue" },
    ]);
    expect(spec.volumes).toEqual([
      { name: "settings", configMap: { name: "x", defaultMode: 420, optional: true } },
      { name: "nothing", emptyDir: null },
    ]);
    expect(spec.workspaces).toEqual([{ name: "w", optional: true, readOnly: true }]);
  });

  test("annotations of the older prefix and members of v1beta1 are understood", () => {
    const content = byHand("older-members.yaml");
    expect(content).toMatchObject({ displayName: "Older members", icon: "Clock", annotations: {} });
    expect(content.spec.params).toMatchObject([
      {
        name: "recipient",
        label: "Recipient",
        type: "email",
        required: true,
        minValueLength: 3,
        options: [{ key: "1", value: "yes" }],
        description: "Who gets it",
      },
      { name: "count", type: "number", helpertext: "How many", default: "010" },
    ]);
    const written = taskDocument(writable(content), content.document) as { apiVersion: string; spec: Spec };
    expect(written.apiVersion).toBe("tekton.dev/v1");
    expect(written.spec.steps?.[0]).toMatchObject({ computeResources: { requests: { memory: "128Mi" } }, livenessProbe: {} });
    expect(written.spec.steps?.[0]).not.toHaveProperty("resources");
    expect(written.spec.stepTemplate).toEqual({ computeResources: { requests: { memory: "64Mi" } } });
  });

  test("the list of form fields may be a text, as annotations of Kubernetes are", () => {
    const content = read(`
apiVersion: tekton.dev/v1
kind: Task
metadata:
  name: t
  annotations:
    millrace.dev/params: '[{"name": "a", "type": "number", "label": "A"}]'
spec: { params: [{ name: a }], steps: [{ script: "true" }] }`);
    expect(content.spec.params).toEqual([{ name: "a", label: "A", type: "number", readOnly: false }]);
  });
});

describe("any task", () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/);
  const text = fc.oneof(word, fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom("on", "0755", "1.0", "a\nb\n", "~"));
  const filled = text.filter((value) => value.trim() !== "");
  const labels = fc.dictionary(word, text, { maxKeys: 3 });
  const listOfTexts = fc.array(text, { maxLength: 3 });
  const named = <T extends object>(more: fc.Arbitrary<T>) =>
    fc
      .uniqueArray(fc.tuple(word, more), { maxLength: 3, selector: ([name]) => name })
      .map((list) => list.map(([name, rest]) => ({ name, ...rest })));
  const anyDefault = fc.oneof(text, listOfTexts, labels, fc.integer(), fc.boolean(), fc.jsonValue({ maxDepth: 2 }).map(withoutMinusZero));
  const params = named(
    fc.record(
      {
        label: text,
        type: fc.constantFrom("text", "password", "number", "multiselect", "json", "texteditor::shell", "somethingelse"),
        description: text,
        default: anyDefault,
        required: fc.boolean(),
        readOnly: fc.boolean(),
        options: fc.array(fc.record({ key: text, value: text }), { maxLength: 2 }),
        minValueLength: fc.nat(100),
        enum: fc.array(text, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  );
  const flat = fc.record(
    {
      image: filled,
      script: filled,
      command: listOfTexts,
      arguments: listOfTexts,
      envs: named(fc.record({ value: text })),
      workingDir: filled,
    },
    { requiredKeys: [] },
  );
  const step = fc.record(
    {
      name: word,
      image: text,
      script: text,
      command: listOfTexts,
      env: named(fc.record({ value: text })),
      timeout: text,
      securityContext: labels,
    },
    { requiredKeys: [] },
  );
  const spec = fc
    .tuple(
      fc.oneof(flat, fc.record({ steps: fc.array(step, { maxLength: 3 }) })),
      fc.record(
        {
          params,
          results: named(fc.record({ description: text }, { requiredKeys: [] })),
          workspaces: named(fc.record({ optional: fc.boolean() }, { requiredKeys: [] })),
          volumes: named(fc.record({ emptyDir: fc.constant({}) })),
          unknownMember: fc.jsonValue({ maxDepth: 2 }).map(withoutMinusZero),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([program, rest]) => ({ ...program, ...rest }));
  const task = fc.record(
    {
      name: word,
      displayName: filled,
      type: fc.constantFrom("template", "script", "approval"),
      description: filled,
      category: filled,
      icon: filled,
      labels,
      annotations: fc.dictionary(
        word.map((key) => `example.org/${key}`),
        fc.oneof(text, fc.array(fc.integer(), { maxLength: 2 }), labels),
        { maxKeys: 3 },
      ),
      spec,
    },
    { requiredKeys: ["name", "type"] },
  );

  test("is the same after it was written as a document and read again", () => {
    fc.assert(
      fc.property(task, (input) => {
        const content = contentOfTask(input as never);
        expect(meaning(read(writeTaskDocument(writable(content))))).toEqual(meaning(content));
      }),
      { numRuns: 500 },
    );
  });

  test("is the same after a client sent back what it had read", () => {
    fc.assert(
      fc.property(task, (input) => {
        const content = contentOfTask(input as never);
        expect(meaning(throughJson(content))).toEqual(meaning(content));
      }),
      { numRuns: 300 },
    );
  });

  /** JSON has no -0. */
  function withoutMinusZero(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value));
  }
});

test("whatever a client puts into the annotation for the rest of the document, the document stays one", () => {
  for (const rest of [
    "text",
    [1],
    5,
    null,
    { apiVersion: "v9", kind: "Pod", spec: 1, metadata: { name: "other", labels: 2, annotations: 3, uid: "u" }, status: {} },
  ]) {
    const content = contentOfTask({ name: "t", annotations: { "millrace.dev/document": rest }, spec: { script: "x" } });
    const document = taskDocument(writable(content)) as { metadata: object };
    expect(document).toMatchObject({
      apiVersion: "tekton.dev/v1",
      kind: "Task",
      metadata: { name: "t" },
      spec: { steps: [{ script: "x" }] },
    });
    expect(read(writeTaskDocument(writable(content))).name).toBe("t");
  }
});

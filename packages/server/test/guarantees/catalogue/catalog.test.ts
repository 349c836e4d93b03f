import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TaskType, taskTypes } from "@millrace/contract/status.ts";
import type { WorkflowInput, WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { checkGraph } from "../../../src/core/workflow/checks/check-graph.ts";
import { type DocumentTask, documentOf } from "../../../src/core/workflow/workflow-document.ts";
import { documentFaults } from "../../../src/core/workflow/workflow-document-checks.ts";
import { renderHandbookContents, renderTaskContents } from "../../../src/task-pages.ts";

const pages = join(repositoryRoot, "docs/tasks");
const catalog = join(repositoryRoot, "packages/server/catalog");
const read = (...path: string[]) => readFileSync(join(...path), "utf8");

interface Declared {
  metadata: { name: string; annotations: Record<string, unknown> };
  spec: { params?: { name: string }[]; results?: { name: string }[]; steps?: { command?: string[] }[] };
}
const globalTasks = readdirSync(join(catalog, "tasks"))
  .sort()
  .map((file) => parse(read(catalog, "tasks", file)) as Declared);

describe("the pages about tasks", () => {
  test.each(taskTypes)("type %s has a page", (type) => {
    expect(read(pages, `${type}.md`)).toMatch(new RegExp(`^# Type \`${type}\`: `));
  });

  test("the lists of the handbook are made from the pages and the definitions", () => {
    expect(read(pages, "../README.md")).toBe(renderHandbookContents());
    expect(read(pages, "README.md")).toBe(renderTaskContents());
  });

  test.each(globalTasks.map((task) => [task.metadata.name, task] as const))(
    "every parameter and result of %s is explained",
    (name, task) => {
      const type = task.metadata.annotations["millrace.dev/type"] as string;
      const own = name.includes("http-call") ? "http-calls" : name;
      const page = existsSync(join(pages, `${own}.md`)) ? read(pages, `${own}.md`) : read(pages, `${type}.md`);
      for (const { name: word } of [...(task.spec.params ?? []), ...(task.spec.results ?? [])]) expect(page).toContain(`\`${word}\``);
      expect(page).toContain(`\`${name}\``);
    },
  );
});

test("every form field belongs to a declared parameter, in the same order", () => {
  for (const { metadata, spec } of globalTasks) {
    const form = (metadata.annotations["millrace.dev/params"] ?? []) as { name: string }[];
    expect({ of: metadata.name, fields: form.map(({ name }) => name) }).toEqual({
      of: metadata.name,
      fields: (spec.params ?? []).map(({ name }) => name),
    });
  }
});

test("every program that a global task runs is bundled, and every bundled one is run", () => {
  const run = globalTasks.flatMap(({ spec }) => (spec.steps ?? []).flatMap((step) => step.command ?? []));
  const programs = new Set(run.filter((word) => word.endsWith(".mjs")).map((word) => word.replace("$(context.programs.path)/", "")));
  expect([...programs].sort()).toEqual(readdirSync(join(catalog, "programs")).filter((file) => file.endsWith(".mjs")));
});

/** The problems of a workflow that can be found without a database. */
function faultsOf(workflow: WorkflowInput): unknown[] {
  const document = documentOf(workflow);
  const typeOf = (node: DocumentTask) => globalTask(node)?.metadata.annotations["millrace.dev/type"] as TaskType | undefined;
  const { problems } = checkGraph(document.tasks, { taskTypeOf: typeOf });
  return [
    ...documentFaults(document),
    ...problems.map(({ path, message }) => ({ path, message })),
    ...document.tasks.flatMap(missingParams),
  ];
}

function globalTask(node: { taskRef?: string | null }): Declared | undefined {
  return globalTasks.find((task) => task.metadata.name === node.taskRef);
}

function missingParams(node: DocumentTask): unknown[] {
  const form = (globalTask(node)?.metadata.annotations["millrace.dev/params"] ?? []) as { name: string; required?: boolean }[];
  const declared = globalTask(node)?.spec.params as { name: string; default?: unknown }[] | undefined;
  const missing = form.filter(({ name, required }) => {
    const hasDefault = declared?.some((param) => param.name === name && param.default !== undefined);
    return required && !hasDefault && !node.params.some((param) => param.name === name);
  });
  return missing.map(({ name }) => ({ path: node.name, message: `lacks the parameter ${name}` }));
}

/** A complete workflow around one or more nodes; the nodes that they depend on are invented. */
function workflowAround(nodes: readonly WorkflowTask[]): WorkflowInput {
  const dependencies = nodes.flatMap((node) => node.dependencies ?? []);
  const own = ["start", ...nodes.map(({ name }) => name)];
  const named = dependencies.map(({ taskRef }) => taskRef).filter((name) => !own.includes(name));
  const decides = dependencies.some(({ decisionCondition }) => decisionCondition);
  const before: WorkflowTask[] = named.map((name) =>
    decides
      ? { name, type: "decision", taskRef: "switch", params: [{ name: "value", value: "gold" }] }
      : { name, type: "sleep", taskRef: "sleep", params: [{ name: "duration", value: "0" }] },
  );
  return { name: "example", tasks: [...before, ...nodes] };
}

describe("examples and samples can be saved", () => {
  const examples = readdirSync(pages).flatMap((page) =>
    [...read(pages, page).matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(
      (match, index) => [`${page} ${index + 1}`, match[1] as string] as const,
    ),
  );

  test("each page of a type or a global task has an example", () => {
    expect(readdirSync(pages).filter((page) => !examples.some(([name]) => name.startsWith(`${page} `)))).toEqual([]);
  });

  test.each(examples)("%s", (page, text) => {
    const nodes = [JSON.parse(text)].flat() as WorkflowTask[];
    expect(faultsOf(workflowAround(nodes))).toEqual([]);
    const type = page.replace(/\.md .*/, "");
    if ((taskTypes as readonly string[]).includes(type) && page.endsWith(" 1")) expect(nodes[0]?.type).toBe(type);
    const isDefined = (node: WorkflowTask) => globalTask(node) !== undefined || node.type === "start" || node.type === "end";
    const own = ["nightly-report", "build-and-push", "name-release", "test-with-cache"];
    expect(nodes.filter((node) => !isDefined(node) && !own.includes(node.taskRef ?? ""))).toEqual([]);
  });

  const folders = [join(repositoryRoot, "packages/server/samples/getting-started"), join(catalog, "templates")];
  test.each(folders.flatMap((folder) => readdirSync(folder).map((file) => [file, folder] as const)))("%s", (file, folder) => {
    const workflow = JSON.parse(read(folder, file)) as WorkflowInput & { tasks: WorkflowTask[] };
    expect(`${workflow.name}.json`).toBe(file);
    expect(faultsOf(workflow)).toEqual([]);
    for (const node of workflow.tasks) expect(globalTask(node) !== undefined || ["start", "end"].includes(node.name)).toBe(true);
  });
});

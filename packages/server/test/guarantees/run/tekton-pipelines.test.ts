import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { testInstance } from "../../kit/start/test-instance.ts";
import { until } from "../../kit/until.ts";

/** Pipelines of Tekton in a complete process: each is sent as YAML, and runs to its end with its scripts as processes. */
const token = "admin-token-of-the-pipelines";
spawnSync(process.execPath, [join(repositoryRoot, "packages/server/catalog/build-programs.mjs"), join(repositoryRoot, "dist/programs")]);
const { instance } = await testInstance({ MILLRACE_ADMIN_TOKEN: token, MILLRACE_PORT: "0" });

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const isText = typeof body === "string";
  const answer = await fetch(`${instance.address}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": isText ? "application/yaml" : "application/json" },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

await call("POST", "/team", { name: "builders", displayName: "Builders" });

async function run(name: string, spec: string, values: Record<string, unknown> = {}) {
  const made = await call(
    "POST",
    "/team/builders/workflow",
    `apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: ${name}}\nspec:\n${spec}`,
  );
  const params = Object.entries(values).map(([param, value]) => ({ name: param, value }));
  const { id } = await call("POST", `/team/builders/workflow/${made.name}/submit?start=true`, { params });
  let found = await call("GET", `/team/builders/workflowrun/${id}`);
  await until(async () => {
    found = await call("GET", `/team/builders/workflowrun/${id}`);
    return found.phase === "completed";
  }, `the end of run ${id}`);
  return {
    status: found.status,
    results: Object.fromEntries(found.results.map((result: { name: string; value: unknown }) => [result.name, result.value])),
    tasks: Object.fromEntries(
      found.tasks
        .filter((task: { type: string }) => task.type === "template")
        .map((task: { name: string; status: string }) => [task.name, task.status]),
    ),
  };
}

const script = (name: string, text: string, more = "") =>
  `    - name: ${name}\n${more}      taskSpec: { results: [{ name: r }], steps: [{ script: "${text.replaceAll('"', '\\"')}" }] }\n`;
const ok = (name: string, more = "") => script(name, "printf done > $(results.r.path)", more);
const fails = (name: string, more = "") => script(name, "exit 3", more);

test("parameters, results, runAfter, when, finally, matrix, workspaces and retries work as in Tekton", async () => {
  const outcome = await run(
    "all-of-it",
    `
  params:
    - { name: who, default: Ada }
    - { name: words, type: array, default: [a, b] }
    - { name: deploy, default: "no" }
  workspaces: [{ name: shared }]
  results:
    - { name: greeting, value: "<$(tasks.greet.results.text)>" }
    - { name: each, value: "$(tasks.each.results.out[*])" }
  tasks:
    - name: greet
      workspaces: [{ name: data, workspace: shared }]
      params: [{ name: count, value: "3" }]
      taskSpec:
        params: [{ name: count }]
        workspaces: [{ name: data }]
        results: [{ name: text }]
        steps:
          - script: |
              #!/bin/sh
              echo "$(params.who)" > $(workspaces.data.path)/who
              printf 'hello %s %s' "$(params.who)" "$(params.count)" > $(results.text.path)
    - name: each
      matrix: { params: [{ name: word, value: "$(params.words[*])" }] }
      taskSpec:
        params: [{ name: word }]
        results: [{ name: out }]
        steps: [{ script: "printf %s \\"$(params.word)!\\" > $(results.out.path)" }]
    - name: flaky
      runAfter: [greet]
      retries: 1
      workspaces: [{ name: data, workspace: shared }]
      taskSpec:
        workspaces: [{ name: data }]
        steps: [{ script: "cd $(workspaces.data.path); [ -e tried ] || { touch tried; exit 1; }; [ \\"$(cat who)\\" = Ada ]" }]
    - name: deploy
      when: [{ input: $(params.deploy), operator: in, values: ["yes"] }]
      taskSpec: { steps: [{ script: "exit 9" }] }
    - name: needs-no-deploy
      when: [{ input: $(params.deploy), operator: notin, values: ["yes", "always"] }]
      taskSpec: { steps: [{ script: "true" }] }
    - name: after-deploy
      runAfter: [deploy]
      taskSpec: { steps: [{ script: "true" }] }
  finally:
    - name: clean
      params: [{ name: text, value: $(tasks.greet.results.text) }]
      taskSpec: { params: [{ name: text }], steps: [{ script: "[ \\"$(params.text)\\" = 'hello Ada 3' ]" }] }
`,
  );
  expect(outcome).toEqual({
    status: "succeeded",
    results: { greeting: "<hello Ada 3>", each: expect.anything() },
    tasks: expect.objectContaining({
      greet: "succeeded",
      flaky: "succeeded",
      deploy: "skipped",
      "needs-no-deploy": "succeeded",
      "after-deploy": "succeeded",
      clean: "succeeded",
    }),
  });
  expect(outcome.results.each).toEqual(["a!", "b!"]);
});

const guard = (value: string) => `      when: [{ input: $(params.go), operator: in, values: [${value}] }]\n`;
const after = (...names: string[]) => `      runAfter: [${names.join(", ")}]\n`;
const params = "  params: [{ name: go, default: x }]\n  tasks:\n";

test.each([
  [
    "a failure skips what follows, not what is last",
    `${params}${fails("a")}${ok("b", after("a"))}  finally:\n${ok("z")}`,
    { a: "failed", b: "skipped", z: "succeeded" },
    "failed",
  ],
  [
    "after a task that its when skipped",
    `${params}${ok("a", guard("y"))}${ok("b", after("a"))}`,
    { a: "skipped", b: "succeeded" },
    "succeeded",
  ],
  [
    "after a task that its when let through",
    `${params}${ok("a", guard("x"))}${ok("b", after("a"))}`,
    { a: "succeeded", b: "succeeded" },
    "succeeded",
  ],
  [
    "not after a task that its when let through, and that failed",
    `${params}${fails("a", guard("x"))}${ok("b", after("a"))}`,
    { a: "failed", b: "skipped" },
    "failed",
  ],
  [
    "not after a task with a when that was not reached",
    `${params}${fails("a")}${ok("b", guard("x") + after("a"))}${ok("c", after("b"))}`,
    { a: "failed", b: "skipped", c: "skipped" },
    "failed",
  ],
  [
    "through two tasks with a when",
    `${params}${ok("a", guard("y"))}${ok("b", guard("y") + after("a"))}${ok("c", after("b"))}  finally:\n${ok("z", guard("x"))}`,
    { a: "skipped", b: "skipped", c: "succeeded", z: "succeeded" },
    "succeeded",
  ],
  [
    "what is last runs if all was skipped",
    `${params}${ok("a", guard("y"))}  finally:\n${ok("z")}`,
    { a: "skipped", z: "succeeded" },
    "succeeded",
  ],
  [
    "a task that needs the result of one that was skipped is skipped",
    `${params}${ok("a", guard("y"))}${ok("b", "      params: [{ name: v, value: $(tasks.a.results.r) }]\n")}${ok("c", after("b"))}`,
    { a: "skipped", b: "skipped", c: "skipped" },
    "succeeded",
  ],
  [
    "a failure that is ignored",
    `${params}${fails("a", "      onError: continue\n")}${ok("b", after("a"))}`,
    { a: "failed", b: "succeeded" },
    "succeeded",
  ],
])("the path through a pipeline: %s", async (what, spec, tasks, status) => {
  expect(await run(what.replaceAll(/\W+/g, "-"), spec)).toMatchObject({ tasks, status });
});

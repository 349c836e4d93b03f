import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { WorkflowTask } from "@millrace/contract/workflow/workflow.ts";
import { afterAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { createFactories } from "../../kit/factories.ts";
import { runToEnd, testInstance } from "../../kit/start/test-instance.ts";

/** The global tasks in a complete process: from a saved workflow, through the sandbox of this machine, to the results in the database. */
const web = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => response.writeHead(request.url === "/missing" ? 404 : 200).end(`${request.method} ${Buffer.concat(chunks)}`));
});
await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
afterAll(() => void web.close());
const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;

spawnSync(process.execPath, [join(repositoryRoot, "packages/server/catalog/build-programs.mjs"), join(repositoryRoot, "dist/programs")]);
const service = await testInstance({ MILLRACE_ROLES: "engine,worker", MILLRACE_TASK_OUTBOUND_ALLOW: new URL(origin).host });
const team = await createFactories(service.sql).team();

const node = (name: string, taskRef: string, params: Record<string, unknown>, more: Partial<WorkflowTask> = {}): WorkflowTask => ({
  name,
  taskRef,
  params: Object.entries(params).map(([param, value]) => ({ name: param, value })),
  ...more,
});

/** Saves and runs a workflow of these nodes; returns how each node ended, and its results by name. */
async function run(...tasks: WorkflowTask[]) {
  const outcomes = (await runToEnd(service, team.id, { tasks })).map((task) => [
    task.name,
    { status: task.status, message: task.statusMessage, ...Object.fromEntries(task.results.map(({ name, value }) => [name, value])) },
  ]);
  return Object.fromEntries(outcomes) as Record<string, { status: string; message: string | null; [result: string]: unknown }>;
}

test("HTTP calls reach the network and pass their responses on, byte for byte", async () => {
  const outcome = await run(
    node("post", "execute-advanced-http-call", { url: origin, method: "POST", body: 'a "b"\n\t$(echo c)' }),
    node("missing", "execute-basic-http-call", { url: `${origin}/missing` }),
    node("fine", "execute-advanced-http-call", { url: `${origin}/missing`, successcodes: "404" }),
  );
  expect(outcome["post"]).toMatchObject({ status: "succeeded", statusCode: "200", response: 'POST a "b"\n\t$(echo c)' });
  expect(outcome["missing"]).toMatchObject({ status: "failed", statusCode: "404", response: "GET " });
  expect(outcome["fine"]).toMatchObject({ status: "succeeded", statusCode: "404" });
});

test("a JSONPath query reads the result of another task", async () => {
  const outcome = await run(
    node(
      "say",
      "execute-shell",
      { script: `printf '{"items": [{"id": "a"}, {"id": "b"}]}' > "$(results.document.path)"` },
      { results: [{ name: "document" }] },
    ),
    node(
      "find",
      "jsonpath-to-parameter",
      { json: "$(tasks.say.results.document)", query: "items[1].id" },
      { dependencies: [{ taskRef: "say", executionCondition: "success" }] },
    ),
  );
  expect(outcome["find"]).toMatchObject({ status: "succeeded", evaluation: "b" });
});

test("a script runs in its folder with its interpreter, and its exit code is reported", async () => {
  const outcome = await run(
    node("folder", "execute-shell", { path: "/usr", script: 'pwd > "$RESULTS_PATH/where"' }, { results: [{ name: "where" }] }),
    node("exit", "execute-shell", { script: "exit 7" }),
    node("shell", "execute-shell", { shell: "sh -e", script: "false\nexit 0" }),
    node(
      "custom",
      "run-custom-task",
      { command: "sh", arguments: '-c\nprintf %s "$NODE" > "$(results.node.path)"' },
      { results: [{ name: "node" }] },
    ),
  );
  expect(outcome["folder"]).toMatchObject({ status: "succeeded", where: "/usr\n" });
  expect(outcome["exit"]).toMatchObject({ status: "failed" });
  expect(outcome["exit"]?.message).toContain("7");
  expect(outcome["shell"]?.status).toBe("failed");
  expect(outcome["custom"]).toMatchObject({ status: "succeeded", node: expect.stringMatching(/^\/.*node/) });
});

const hasPython = spawnSync("/usr/bin/python3", ["--version"]).status === 0;
describe.runIf(hasPython)("where the system has Python", () => {
  test("a Python script gives its output and declared results", async () => {
    const pythonScript = "import os, sys\nopen(os.environ['RESULTS_PATH'] + '/count', 'w').write(str(len(sys.argv) - 1))\nprint('hello')";
    const outcome = await run(
      node("snake", "run-python-script", { pythonScript, pythonArguments: "a 'b c'" }, { results: [{ name: "count" }] }),
    );
    expect(outcome["snake"]).toMatchObject({ status: "succeeded", output: "hello", count: "2" });
  });
});

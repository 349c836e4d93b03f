import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { testInstance } from "../../kit/start/test-instance.ts";
import { until } from "../../kit/until.ts";

/** The shipped templates in a complete process: each is read, created unchanged as a workflow of a team, and run over the API. */
const token = "admin-token-of-the-templates";
const web = createServer((request, response) => response.writeHead(request.url === "/missing" ? 404 : 200).end("hello"));
await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
afterAll(() => void web.close());
const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const shipped = readdirSync(join(repositoryRoot, "packages/server/catalog/templates")).map((file) => file.replace(".json", ""));

spawnSync(process.execPath, [join(repositoryRoot, "packages/server/catalog/build-programs.mjs"), join(repositoryRoot, "dist/programs")]);
const { instance } = await testInstance({
  MILLRACE_ADMIN_TOKEN: token,
  MILLRACE_PORT: "0",
  MILLRACE_TASK_OUTBOUND_ALLOW: new URL(origin).host,
});

beforeAll(async () => {
  await call("POST", "/team", { name: "users", displayName: "Users" });
  for (const name of shipped) await call("POST", "/team/users/workflow", await call("GET", `/workflowtemplate/${name}`));
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await fetch(`${instance.address}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

async function submit(workflow: string, values: Record<string, unknown>): Promise<string> {
  const params = Object.entries(values).map(([name, value]) => ({ name, value }));
  return (await call("POST", `/team/users/workflow/${workflow}/submit?start=true`, { params })).id;
}

async function outcomeOf(run: string) {
  let found = await call("GET", `/team/users/workflowrun/${run}`);
  await until(async () => {
    found = await call("GET", `/team/users/workflowrun/${run}`);
    return found.phase === "completed";
  }, `the end of run ${run}`);
  return [found.status, Object.fromEntries(found.results.map((result: { name: string; value: unknown }) => [result.name, result.value]))];
}

async function decide(run: string, approved: boolean, comments: string): Promise<string> {
  let id = "";
  await until(async () => {
    const { content } = await call("GET", "/team/users/action/query?statuses=submitted");
    id = content.find((action: { workflowRunRef: string }) => action.workflowRunRef === run)?.id ?? "";
    return id !== "";
  }, "the action of the run");
  await call("PUT", "/team/users/action", [{ id, approved, comments }]);
  return run;
}

test("all of them are there", async () => {
  const { content } = await call("GET", "/workflowtemplate/query?limit=100&page=0");
  expect(content.map(({ name }: { name: string }) => name).sort()).toEqual(shipped);
  expect(shipped.length).toBeGreaterThanOrEqual(3);
});

test("check-a-website succeeds on a good answer, and fails the run on a bad one", async () => {
  expect(await outcomeOf(await submit("check-a-website", { url: `${origin}/` }))).toEqual(["succeeded", { outcome: `${origin}/ is fine` }]);
  const [status, { outcome }] = await outcomeOf(await submit("check-a-website", { url: `${origin}/missing` }));
  expect([status, outcome]).toEqual(["failed", expect.stringContaining("is not fine")]);
});

test("approve-then-run runs its script when people agree, and only then", async () => {
  const approved = await decide(await submit("approve-then-run", { script: "true" }), true, "go");
  expect(await outcomeOf(approved)).toEqual(["succeeded", { outcome: "Approved by admin token, and done" }]);
  const rejected = await decide(await submit("approve-then-run", { script: "true" }), false, "not today");
  expect(await outcomeOf(rejected)).toEqual(["failed", { outcome: "Rejected by admin token: not today" }]);
});

test("for-each-item works on each item and gathers the answers in their order", async () => {
  expect(await outcomeOf(await submit("for-each-item", { items: ["a", "b c"] }))).toEqual([
    "succeeded",
    { answers: '["done: a","done: b c"]' },
  ]);
});

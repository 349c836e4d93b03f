import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startService } from "../../kit/start/start-service.ts";

/** Secrets and configuration of a team in the environment of a task as in the Tekton catalogue, over the API of a real service. */
const folder = mkdtempSync(join(tmpdir(), "task-environment-"));
const service = await startService(folder, { MILLRACE_ALLOW_UNSANDBOXED: "true", MILLRACE_SEED: "false" });
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const token = readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
const call = async (method: string, path: string, body?: unknown) => {
  const isText = typeof body === "string";
  const response = await fetch(`${service.address}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": isText ? "application/x-yaml" : "application/json" },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    warning: response.headers.get("warning"),
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
};

const document = `
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: NAME }
spec:
  params: [{ name: secret-name, default: registry }]
  results: [{ name: length }]
  steps:
    - name: push
      envFrom: [{ configMapRef: { name: settings } }]
      env:
        - name: PASSWORD
          valueFrom: { secretKeyRef: { name: $(params.secret-name), key: password } }
        - name: EXTRA
          valueFrom: { secretKeyRef: { name: nowhere, key: none, optional: true } }
      script: |
        #!/bin/sh
        echo "level $level, password $PASSWORD, extra \${EXTRA-unset}"
        printf %s "\${#PASSWORD}" > $(results.length.path)
`;

async function team(name: string, parameters: unknown[]) {
  await call("POST", "/team", { name, displayName: name, parameters });
  await call("PATCH", `/team/${name}`, { parameters });
  await call("POST", `/team/${name}/task`, document.replace("NAME", "push"));
  await call("POST", `/team/${name}/workflow`, { name: "flow", tasks: [{ name: "push", taskRef: "push" }] });
}

async function run(team: string, flow = "flow") {
  const { body } = await call("POST", `/team/${team}/workflow/${flow}/submit?start=true&wait=30s`, { params: [] });
  const { body: whole } = await call("GET", `/team/${team}/workflowrun/${body.id}`);
  const task = whole.tasks.find((one: { name: string }) => one.name === "push");
  const log = await call("GET", `/taskrun/${task.id}/log`);
  return { whole, task, log: log.text };
}

const registry = { name: "registry", type: "secret", value: { user: "someone", password: "hunter22-of-the-team" } };
const settings = { name: "settings", type: "json", value: { level: "debug" } };

test("a step gets the team's secret and parameter, and nobody else can read them", async () => {
  await team("ours", [registry, settings]);
  const { body: read } = await call("GET", "/team/ours");
  expect(read.parameters).toContainEqual(
    expect.objectContaining({ name: "registry", value: { user: "", password: "" }, hiddenValue: true }),
  );
  const { whole, task, log } = await run("ours");
  expect(whole.status).toBe("succeeded");
  expect(task.results).toContainEqual(expect.objectContaining({ name: "length", value: "20" }));
  expect(log).toContain("level debug, password ***, extra unset");
  expect(JSON.stringify([read, whole, log])).not.toContain("hunter22");
});

test("what is missing fails the task, names it and says how to add it; another team's secret is missing", async () => {
  await team("others", [settings]);
  const { task } = await run("others");
  expect(task).toMatchObject({ status: "failed", reason: "SecretMissing" });
  expect(task.statusMessage).toContain("there is no secret registry; add a parameter registry of type secret to the team");
});

test("a secret that a task uses as the name of a secret is not shown, and a secret without keys is one", async () => {
  await team("odd", [{ ...registry, name: "registry" }, { name: "empty", type: "secret", value: {} }, settings]);
  const flow = (name: string, taskRef: string, params: unknown[]) =>
    call("POST", "/team/odd/workflow", { name, tasks: [{ name: "push", taskRef, params }] });
  await flow("named", "push", [{ name: "secret-name", value: "$(team.params.registry.password)" }]);
  const { whole, task, log } = await run("odd", "named");
  expect(task).toMatchObject({
    status: "failed",
    reason: "SecretMissing",
    statusMessage: expect.stringContaining("there is no secret ***"),
  });
  expect(JSON.stringify([whole, log])).not.toContain("hunter22");
  const all = document.replace("NAME", "all").replace("configMapRef: { name: settings }", "secretRef: { name: empty }");
  await call("POST", "/team/odd/task", all);
  await flow("unkeyed", "all", []);
  expect((await run("odd", "unkeyed")).log).toContain("level , password ***");
});

test("what only a pod has, and what is malformed, is refused when the task is saved", async () => {
  const saved = (env: string) =>
    call("POST", "/team/ours/task", document.replace("NAME", "odd").replace("{ secretKeyRef: { name: nowhere", env));
  expect(await saved("{ fieldRef: { fieldPath: metadata.name }, secretKeyRef: { name: nowhere")).toMatchObject({ status: 400 });
  const keyless = await call("POST", "/team/ours/task", document.replace("NAME", "odd").replace(", key: none", ""));
  expect(keyless).toMatchObject({ status: 400, text: expect.stringContaining("with name and key as texts") });
  const many = { ...registry, value: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, "hunter22"])) };
  expect(await call("PATCH", "/team/ours", { parameters: [many] })).toMatchObject({
    status: 400,
    text: expect.stringContaining("10000 keys"),
  });
});

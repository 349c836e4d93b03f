import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startService } from "../../kit/start/start-service.ts";

/** Volumes of a document as in the Tekton catalogue, over the API of a real service. */
const folder = mkdtempSync(join(tmpdir(), "task-volumes-"));
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
  return { status: response.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
};

const document = (name: string, path = "/etc-of-task") => `
apiVersion: tekton.dev/v1
kind: Task
metadata: { name: ${name} }
spec:
  params:
    - { name: secret-name, default: registry }
    - { name: place, default: ${path} }
  volumes:
    - { name: cache, emptyDir: {} }
    - { name: registry, secret: { secretName: $(params.secret-name), defaultMode: 0400, items: [{ key: password, path: token }] } }
    - { name: settings, configMap: { name: settings } }
    - { name: nowhere, secret: { secretName: nowhere, optional: true } }
  stepTemplate:
    volumeMounts: [{ name: cache, mountPath: /cache }]
  steps:
    - name: first
      volumeMounts: [{ name: registry, mountPath: $(params.place) }, { name: settings, mountPath: /tekton/home/settings }]
      script: |
        #!/bin/sh
        cat ${path}/token ~/settings/level > /cache/both
    - name: second
      volumeMounts: [{ name: nowhere, mountPath: /nowhere }]
      script: |
        #!/bin/sh
        echo "both $(cat /cache/both), nothing $(ls /nowhere)"
`;

const registry = { name: "registry", type: "secret", value: { user: "someone", password: "hunter22-of-the-team" } };
const settings = { name: "settings", type: "json", value: { level: "debug" } };

async function run(team: string, parameters: unknown[], path?: string, params: unknown[] = []) {
  await call("POST", "/team", { name: team, displayName: team });
  await call("PATCH", `/team/${team}`, { parameters });
  expect((await call("POST", `/team/${team}/task`, document("push", path))).status).toBe(200);
  await call("POST", `/team/${team}/workflow`, { name: "flow", tasks: [{ name: "push", taskRef: "push", params }] });
  const { body } = await call("POST", `/team/${team}/workflow/flow/submit?start=true&wait=30s`, { params: [] });
  const { body: whole } = await call("GET", `/team/${team}/workflowrun/${body.id}`);
  const task = whole.tasks.find((one: { name: string }) => one.name === "push");
  const log = (await call("GET", `/taskrun/${task.id}/log`)).text;
  expect(JSON.stringify([whole, log])).not.toContain("hunter22");
  return { task, log };
}

test("steps share a volume, and have the team's secret and parameter as files, which are masked in the log", async (context) => {
  const { task, log } = await run("ours", [registry, settings]);
  context.skip(task.reason === "SandboxUnavailable", "this machine has no sandbox that mounts");
  expect(task).toMatchObject({ status: "succeeded" });
  expect(log).toContain("both ***debug, nothing");
});

test("a secret that is missing, and a place that is not a task's, fail the run by name", async () => {
  const { task } = await run("others", [settings]);
  expect(task).toMatchObject({ status: "failed", reason: "SecretMissing" });
  expect(task.statusMessage).toContain("there is no secret registry; add a parameter registry of type secret to the team");
  const place = [{ name: "place", value: "/proc/1" }];
  const odd = await run("odd", [registry, settings], undefined, place);
  expect(odd.task).toMatchObject({ status: "invalid", reason: "InvalidTask" });
  expect(odd.task.statusMessage).toContain('can\'t mount the volume registry at "/proc/1"');
  const secret = await run("odd-secret", [registry, settings], undefined, [{ name: "place", value: "$(team.params.registry.password)" }]);
  expect(secret.task.statusMessage).toContain('at "***"');
});

test("a volume that only a cluster or a machine has is refused when the task is saved, and names the remedy", async () => {
  const host = document("host").replace("emptyDir: {}", "hostPath: { path: / }");
  const refused = await call("POST", "/team/ours/task", host);
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("mounts the volume cache (hostPath); use a workspace") });
});

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { definitionOf } from "../../../../worker-sdk/src/worker.ts";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { freePort } from "../../kit/free-port.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/** Programs that use either package, each in its own process, against the service in another. */
const sdk = join(repositoryRoot, "sdks/python");
const processes = join(repositoryRoot, "packages/server/test/processes");
const hasPython = isThere("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
const folder = mkdtempSync(join(tmpdir(), "millrace-external-"));
const port = await freePort();
const adminToken = "admin-token-of-external-workers-0123456789";
const environment = { MILLRACE_PORT: String(port), MILLRACE_SEED: "false", MILLRACE_ADMIN_TOKEN: adminToken };
let service: StartedService;
let program = "";
const started: WorkerProgram[] = [];

interface WorkerProgram {
  child: ChildProcess;
  /** Resolves when the program has printed this. */
  said(text: string): Promise<void>;
  lines: string[];
}

beforeAll(async () => {
  program = await buildProgram(join(processes, "external-worker.ts"));
  service = await startService(folder, environment);
});

afterAll(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function isThere(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const languages = {
  TypeScript: (args: string[]) => spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] }),
  Python: (args: string[]) =>
    spawn("python3", [join(processes, "external_worker.py"), ...args], {
      env: { ...process.env, PYTHONPATH: sdk, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    }),
};

const names = ["greet", "login", "flaky", "hopeless", "wait", "brief"];
/** Documents of the tasks, as the package prints them. */
const documents = {
  TypeScript: async () => {
    const param = (type: "string" | "number" | "boolean" | "secret", more = {}) => ({ type, ...more });
    const params: Record<string, Record<string, ReturnType<typeof param>>> = {
      greet: { name: param("string"), times: param("number", { default: 1 }), loud: param("boolean", { optional: true }) },
      login: { password: param("secret") },
      brief: { ms: param("string") },
    };
    return names.map((name) => definitionOf(name, { params: params[name] ?? {}, results: [], run: () => {} }));
  },
  Python: async () => {
    const env = { ...process.env, PYTHONPATH: sdk, PYTHONDONTWRITEBYTECODE: "1" };
    const text = execFileSync("python3", ["-m", "millrace_worker", "definition", "external_worker"], { cwd: processes, env }).toString();
    return text.split("\n---\n").map((document) => JSON.parse(document) as Record<string, unknown>);
  },
};

describe.each(["TypeScript", "Python"] as const)("a worker in %s", (language) => {
  const isMissing = language === "Python" && !hasPython;
  const team = `team-${language.toLowerCase()}`;
  const path = `/team/${team}`;
  let token = "";

  const run = async (task: string, params: Record<string, unknown> = {}, more: object = {}): Promise<string> => {
    const workflow = `${task}-${Math.random().toString(36).slice(2, 8)}`;
    const given = Object.entries(params).map(([name, value]) => ({ name, value }));
    await service.api("POST", `${path}/workflow`, { name: workflow, tasks: [{ name: "step", taskRef: task, params: given, ...more }] });
    return (await service.api<{ id: string }>("POST", `${path}/workflow/${workflow}/submit?start=true`, {})).id;
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
  const ended = async (id: string): Promise<any> => {
    const found = await service.api<{ tasks: { name: string }[] }>("GET", `${path}/workflowrun/${id}?wait=60s`);
    return { ...found, step: found.tasks.find(({ name }) => name === "step") };
  };
  const start = async (lease = 5): Promise<WorkerProgram> => {
    const child = languages[language]([`http://127.0.0.1:${port}`, team, token, String(lease)]);
    const lines: string[] = [];
    createInterface(child.stdout!).on("line", (line) => lines.push(line));
    const said = (text: string) => until(() => lines.includes(text), `the worker to say ${text}`);
    const worker = { child, lines, said };
    started.push(worker);
    await said("started");
    return worker;
  };
  const end = async ({ child }: WorkerProgram, signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    const [code] = await once(child, "exit");
    return code as number | null;
  };

  beforeAll(async () => {
    if (isMissing) return;
    await service.api("POST", "/team", { name: team, displayName: team });
    for (const document of await documents[language]()) {
      const { name } = document["metadata"] as { name: string };
      const saved = await fetch(`http://127.0.0.1:${port}/api/v2${path}/task/${name}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/x-yaml" },
        body: JSON.stringify(document),
      });
      expect(await saved.text()).toContain(name);
    }
    const made = await service.api<{ token: string }>("POST", "/token", {
      ...{ type: "team", name: "worker", principal: team, permissions: ["externaltask/action"], tasks: names },
    });
    token = made.token;
  });

  test.skipIf(isMissing)("supports types, secrets, retries and a graceful stop", async () => {
    const worker = await start();
    const good = await ended(await run("greet", { name: "Ada", times: "2", loud: "true" }));
    expect(good).toMatchObject({ status: "succeeded", step: { results: [{ name: "greeting", value: "HELLO ADA HELLO ADA" }] } });
    const wrong = await ended(await run("greet", { name: "Ada", times: "many" }, { retry: { count: 3, backoffMs: 0 } }));
    expect(wrong.step).toMatchObject({ status: "failed", statusMessage: expect.stringMatching(/parameter times is .many.; it must be a/) });
    expect(wrong.step.attempts).toHaveLength(1);
    const secret = await ended(await run("login", { password: "hunter2-secret" }));
    expect(JSON.stringify(secret)).not.toContain("hunter2");
    expect(await logOf(secret.step.id)).toContain("signing in with ***");
    const flaky = await ended(await run("flaky", {}, { retry: { count: 1, backoffMs: 0 } }));
    expect(flaky.step).toMatchObject({ status: "succeeded", results: [{ name: "attempt", value: 2 }] });
    const hopeless = await ended(await run("hopeless", {}, { retry: { count: 3, backoffMs: 0 } }));
    expect(hopeless.step).toMatchObject({ status: "failed", statusMessage: "there is no gate" });
    expect(hopeless.step.attempts).toHaveLength(1);
    const last = await run("brief", { ms: "1000" });
    await worker.said("brief");
    expect(await end(worker)).toBe(0);
    expect(worker.lines.at(-1)).toBe("ended");
    expect(await ended(last)).toMatchObject({ status: "succeeded" });
  });

  test.skipIf(isMissing)("a function is notified that its run was cancelled", async () => {
    const worker = await start();
    const id = await run("wait");
    await worker.said("waiting 1");
    await service.api("DELETE", `${path}/workflowrun/${id}/cancel`);
    await worker.said("stopped");
    expect(await end(worker)).toBe(0);
  });

  test.skipIf(isMissing)("task runs of a killed worker go to another one, without using up a retry", async () => {
    const first = await start();
    const id = await run("wait");
    await first.said("waiting 1");
    const second = await start();
    await end(first, "SIGKILL");
    await second.said("waiting 2");
    const found = await service.api<{ tasks: { name: string; attempts: unknown[] }[] }>("GET", `${path}/workflowrun/${id}`);
    expect(found.tasks.find(({ name }) => name === "step")?.attempts).toMatchObject([{ attempt: 1, status: "lost", executor: "external" }]);
    await service.api("DELETE", `${path}/workflowrun/${id}/cancel`);
    await second.said("stopped");
    await end(second);
  });

  test.skipIf(isMissing)("a service that is killed and started again finds its workers where they were", { timeout: 120_000 }, async () => {
    const worker = await start(30);
    const id = await run("brief", { ms: "3000" });
    await worker.said("brief");
    const begunAt = performance.now();
    service.process.kill("SIGKILL");
    await once(service.process, "exit");
    // Later the service returns tasks to the queue that a worker holds but does not name, and this worker has ended and can't report them.
    await until(() => performance.now() - begunAt > 11_000, "it takes a while until the service is back", 30_000);
    service = await startService(folder, environment);
    const found = await ended(id);
    expect(found).toMatchObject({ status: "succeeded", step: { results: [{ name: "done", value: true }] } });
    expect(found.step.attempts).toMatchObject([{ attempt: 1, status: "succeeded" }]);
    expect(await ended(await run("greet", { name: "again" }))).toMatchObject({ status: "succeeded" });
    await end(worker);
  });
});

async function logOf(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await fetch(`http://127.0.0.1:${port}/api/v2/taskrun/${id}/log?follow=false`, { headers })).text();
}

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";

/**
 * Stops the real process while clients stay connected that never disconnect by themselves: the stop takes little more than the grace
 * period, and results within the grace period count, even if it is longer than the lease of a worker that does not extend it.
 */
const folders: string[] = [];
const services: StartedService[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const service of services.splice(0)) service.process.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

interface TaskRun {
  id: string;
  name: string;
  status: string;
  attempts?: unknown[];
}

interface Run {
  id: string;
  status: string;
  tasks: TaskRun[];
}

const team = "/team/getting-started";
const leaseSeconds = 5;

async function start(folder: string, graceSeconds: number): Promise<StartedService> {
  const service = await startService(folder, {
    MILLRACE_SEED: "true",
    MILLRACE_LEASE_SECONDS: String(leaseSeconds),
    MILLRACE_GRACE_SECONDS: String(graceSeconds),
  });
  services.push(service);
  return service;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stop-"));
  folders.push(folder);
  return folder;
}

/** Starts a run of one script, and resolves when the script has written its first line. */
async function runScript({ api }: StartedService, script: string): Promise<{ runId: string; taskRunId: string }> {
  const task = { name: "work", type: "script", taskRef: "execute-shell", params: [{ name: "script", value: script }] };
  await api("POST", `${team}/workflow`, { name: "long", tasks: [task] });
  const { id: runId } = await api<Run>("POST", `${team}/workflow/long/submit?start=true`, {});
  let taskRunId = "";
  await until(async () => {
    const { tasks } = await api<Run>("GET", `${team}/workflowrun/${runId}`);
    const found = tasks.find(({ name, status }) => name === "work" && status === "running");
    taskRunId = found?.id ?? "";
    return found !== undefined;
  }, "the script runs");
  return { runId, taskRunId };
}

/** A connection that sends this and then nothing more; resolves when the first bytes of the response, if one is due, have arrived. */
async function dial(address: string, text: string, isAnswered: boolean): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  if (isAnswered) await once(socket, "data");
  return socket;
}

/**
 * One connection of each kind that could keep the process running: silent after a response, half a body, no byte at all, half a head, a
 * reader that reads nothing.
 */
async function dialAll({ address }: StartedService, folder: string, taskRunId: string): Promise<Socket[]> {
  const token = readFileSync(join(folder, ".millrace/admin-token"), "utf8").trim();
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const idle = await dial(address, `GET /api/v2/team/getting-started HTTP/1.1\r\n${head}\r\n`, true);
  const post = `POST /api/v2${team}/workflow HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`;
  const half = await dial(address, post, false);
  const silent = await dial(address, "", false);
  const halfHead = await dial(address, "GET /api/v2/team HTTP/1.1\r\nHost: loc", false);
  const reader = await dial(address, `GET /api/v2/taskrun/${taskRunId}/log?follow=true HTTP/1.1\r\n${head}\r\n`, true);
  reader.pause();
  return [idle, half, silent, halfHead, reader];
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return (performance.now() - startedAt) / 1000;
}

test("a task that ends within the grace period counts, though clients hold their connections and the lease is shorter", {
  timeout: 180_000,
}, async () => {
  const folder = makeFolder();
  const service = await start(folder, 30);
  const lines = "i=0; while [ $i -lt 20000 ]; do echo a line of some length that nobody reads $i; i=$((i+1)); done";
  const { runId, taskRunId } = await runScript(service, `${lines}; sleep ${leaseSeconds + 3}; echo whole`);
  const held = await dialAll(service, folder, taskRunId);
  const idleEnded = timeOf(once(held[0] as Socket, "close"));
  const seconds = await timeOf(service.stop().then((code) => expect(code).toBe(0)));
  expect(seconds).toBeLessThan(30);
  expect(await idleEnded, "an idle connection ends at once").toBeLessThan(10);

  const next = await start(folder, 1);
  const run = await next.api<Run>("GET", `${team}/workflowrun/${runId}`);
  expect(run.status).toBe("succeeded");
  const work = run.tasks.find(({ name }) => name === "work");
  expect(work).toMatchObject({ status: "succeeded" });
  expect(work?.attempts?.length ?? 1).toBe(1);
  await next.stop();
});

test("a task that takes longer ends with the grace period, and so does the process, whatever clients hold", {
  timeout: 120_000,
}, async () => {
  const folder = makeFolder();
  const service = await start(folder, 2);
  const { taskRunId } = await runScript(service, "echo first; sleep 600");
  await dialAll(service, folder, taskRunId);
  const seconds = await timeOf(service.stop().then((code) => expect(code).toBe(0)));
  expect(seconds).toBeGreaterThan(1.5);
  expect(seconds, "the grace period and a small bound").toBeLessThan(2 + 10);
});

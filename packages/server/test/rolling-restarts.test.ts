import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import type { Database } from "../src/store/database.ts";
import { emptyDatabase, moveTime } from "./database.ts";
import { type StartedService, startService } from "./start-service.ts";
import { until } from "./until.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

/**
 * Two real processes on one database that are restarted in turn, as an update does it, and then one that is killed, while runs write logs that hundreds
 * of connections ask for and nobody reads: a restart costs no attempt, a kill costs time, and each event is delivered.
 */
const token = "an-administrators-token-of-enough-length";
const team = "/team/getting-started";
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Run {
  id: string;
  status: string;
  tasks: { id: string; name: string; status: string; attempts?: { status: string }[] }[];
}

/** Asks for the log as text and as changes, and never reads. */
async function neglect({ address }: StartedService, taskRunId: string): Promise<void> {
  const { hostname, port } = new URL(address);
  for (const [path, accept] of [
    [`/taskrun/${taskRunId}/log`, "text/plain"],
    ["/changes", "text/event-stream"],
  ]) {
    const socket = connect({ port: Number(port), host: hostname, onread: { buffer: Buffer.alloc(64), callback: () => false } });
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(`GET /api/v2${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n\r\n`);
  }
}

/** Lines of a megabyte, some seconds, and lines again; then a task that reads the result of the first. */
const loud =
  "head -c 700000 /dev/urandom | base64 -w 180; sleep 4; head -c 700000 /dev/urandom | base64 -w 180; printf whole > $(results.end.path)";
const tasks = [
  { name: "loud", type: "script", taskRef: "execute-shell", results: [{ name: "end" }], params: [{ name: "script", value: loud }] },
  {
    name: "last",
    type: "script",
    taskRef: "execute-shell",
    params: [{ name: "script", value: 'test "$(tasks.loud.results.end)" = whole' }],
    dependencies: [{ taskRef: "loud" }],
  },
];

test("restarts in turn beside readers that read nothing cost no attempt, a kill costs time, and each event is delivered", {
  timeout: 300_000,
}, async () => {
  const { url, sql } = await emptyDatabase();
  const folders = ["one", "two"].map((name) => mkdtempSync(join(tmpdir(), `rolling-${name}-`)));
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const start = async (folder: string) => {
    const service = await startService(folder, {
      DATABASE_URL: url,
      MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_ADMIN_TOKEN: token,
      MILLRACE_ALLOW_UNSANDBOXED: "true",
      MILLRACE_WORKER_SLOTS: "4",
      MILLRACE_SEED: "true",
      MILLRACE_OUTBOUND_ALLOW: "127.0.0.1",
    });
    onTestFinished(() => void service.process.kill("SIGKILL"));
    return service;
  };
  const services = [await start(folders[0]!), await start(folders[1]!)];
  let secret = "";
  const receiver = await webhookReceiver(() => secret);
  const target = { url: receiver.url };
  ({ secret } = await services[0]!.api<{ secret: string }>("POST", `${team}/subscription`, { name: "all", channel: "webhook", target }));
  await services[0]!.api("POST", `${team}/workflow`, { name: "loud", tasks });

  const runs: string[] = [];
  const submit = async () => {
    for (let n = 0; n < 8; n++) runs.push((await services[n % 2]!.api<Run>("POST", `${team}/workflow/loud/submit`, {})).id);
  };
  const ignoreLogs = async () => {
    await until(async () => (await loudTasks(sql)).length > 0, "a loud task runs");
    for (const id of await loudTasks(sql)) for (let n = 0; n < 12; n++) await neglect(services[n % 2]!, id);
  };
  for (const index of [0, 1]) {
    await submit();
    await ignoreLogs();
    expect(await services[index]!.stop()).toBe(0);
    services[index] = await start(folders[index]!);
  }
  await allSucceed(sql, runs);
  expect(await lostAttempts(sql), "a restart costs no attempt").toBe(0);

  await submit();
  await ignoreLogs();
  services[0]!.process.kill("SIGKILL");
  await once(services[0]!.process, "exit");
  services[0] = await start(folders[0]!);
  await allSucceed(sql, runs);
  const { tasks: ended } = await services[1]!.api<Run>("GET", `${team}/workflowrun/${runs.at(-1)}`);
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "succeeded"));

  const undelivered = async () => (await sql`select from delivery where status <> 'delivered' limit 1`).length;
  const undispatched = async () => (await sql`select from change_event where dispatched_at is null limit 1`).length;
  await until(async () => {
    if ((await undispatched()) + (await undelivered()) === 0) return true;
    await moveTime(sql, 61_000);
    return false;
  }, "each event is delivered");
  const events = await sql<{ id: string }[]>`select id from delivery`;
  expect(receiver.forged).toBe(0);
  expect(new Set(receiver.taken().map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
  expect(receiver.received.length - events.length, "only what was under way at the kill comes twice").toBeLessThan(50);
});

const loudTasks = async (sql: Database) =>
  (await sql<{ id: string }[]>`select id from task_run where name = 'loud' and phase = 'running'`).map(({ id }) => id);

async function lostAttempts(sql: Database): Promise<number> {
  const [row] = await sql<{ lost: number }[]>`select count(*)::int as lost from task_run_attempt where status = 'lost'`;
  return row!.lost;
}

async function allSucceed(sql: Database, runs: readonly string[]): Promise<void> {
  const open = async () => (await sql`select from run where id = any(${[...runs]}) and phase <> 'completed' limit 1`).length;
  await until(async () => (await open()) === 0, "every run is over", 120_000);
  expect(await sql`select id, status, status_message from run where id = any(${[...runs]}) and status <> 'succeeded'`).toEqual([]);
}

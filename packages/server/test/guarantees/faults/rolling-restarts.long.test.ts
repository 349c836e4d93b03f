import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../src/store/database/database.ts";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { emptyDatabase, moveTime } from "../../kit/database.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { describeOpenWork } from "../../kit/suite/open-work.ts";
import { until } from "../../kit/until.ts";

/**
 * Two real processes on one database are restarted in turn, as in an update, and then one is killed, while runs write logs that hundreds of
 * connections request and don't read: a restart costs no attempt, a kill costs only time, and each event is delivered.
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

/** Requests the log as text and as a stream of changes, and never reads the response. */
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

/** Writes lines of a megabyte, waits some seconds, and writes lines again; then a task reads the result of the first. */
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
  timeout: 600_000,
}, async () => {
  const { address, url, sql } = await emptyDatabase();
  const folders = ["one", "two"].map((name) => mkdtempSync(join(tmpdir(), `rolling-${name}-`)));
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const all: StartedService[] = [];
  const start = async (folder: string) => {
    const service = await startService(folder, {
      DATABASE_URL: url,
      MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_ADMIN_TOKEN: token,
      MILLRACE_ALLOW_UNSANDBOXED: "true",
      MILLRACE_WORKER_SLOTS: "4",
      // A running task gets enough time to finish, however busy the machine is.
      MILLRACE_GRACE_SECONDS: "60",
      MILLRACE_SEED: "true",
      MILLRACE_OUTBOUND_ALLOW: "127.0.0.1",
    });
    all.push(service);
    onTestFinished(() => void service.process.kill("SIGKILL"));
    return service;
  };
  const step = namedSteps(async () => [await describeOpenWork(address), ...all.map(lastWords)].join("\n"));

  const services = [await step("the first start", () => start(folders[0]!)), await step("the second start", () => start(folders[1]!))];
  let secret = "";
  const receiver = await webhookReceiver(() => secret);
  const target = { url: receiver.url };
  ({ secret } = await services[0]!.api<{ secret: string }>("POST", `${team}/subscription`, { name: "all", channel: "webhook", target }));
  await services[0]!.api("POST", `${team}/workflow`, { name: "loud", tasks });

  const runs: string[] = [];
  const inProgress = new Set<string>();
  const noteInProgress = async () => {
    for (const { id } of await sql<{ id: string }[]>`select id from delivery where status = 'pending' and attempts > 0`) inProgress.add(id);
  };
  const submit = async () => {
    for (let n = 0; n < 8; n++) runs.push((await services[n % 2]!.api<Run>("POST", `${team}/workflow/loud/submit`, {})).id);
  };
  const ignoreLogs = async () => {
    await until(async () => (await loudTasks(sql)).length > 0, "a loud task runs");
    for (const id of await loudTasks(sql)) for (let n = 0; n < 12; n++) await neglect(services[n % 2]!, id);
  };
  for (const index of [0, 1]) {
    await step("the submissions", submit);
    await step("the readers", ignoreLogs);
    await step("the stop", async () => expect(await services[index]!.stop()).toBe(0));
    await noteInProgress();
    services[index] = await step("the start", () => start(folders[index]!));
  }
  await step("the runs", () => allSucceed(sql, runs));
  await step("the attempts", async () => expect(await lostAttempts(sql), "a restart costs no attempt").toEqual([]));

  await step("the submissions before the kill", submit);
  await step("the readers before the kill", ignoreLogs);
  await step("the kill", async () => {
    const killed = once(services[0]!.process, "exit");
    services[0]!.process.kill("SIGKILL");
    await killed;
    await noteInProgress();
  });
  services[0] = await step("the start after the kill", () => start(folders[0]!));
  const [since] = await sql<{ now: Date }[]>`select db_now() as now`;
  await step("the runs after the kill", () => allSucceed(sql, runs));
  const { tasks: ended } = await services[1]!.api<Run>("GET", `${team}/workflowrun/${runs.at(-1)}`);
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "succeeded"));

  await step("the deliveries", async () => {
    await restDelivered(sql, since!.now);
    // Deliveries that the killed process was sending are sent again when its lease has expired.
    await noteInProgress();
    await moveTime(sql, 61_000);
    await allDelivered(sql);
  });
  const events = await sql<{ id: string }[]>`select id from delivery`;
  expect(receiver.forged).toBe(0);
  expect(new Set(receiver.taken().map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)));
  const seen = new Set<string>();
  const twice = receiver.received.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size);
  expect(
    twice.filter((id) => !inProgress.has(id)),
    "only what was under way at a stop or at the kill comes twice",
  ).toEqual([]);
});

/** A failure says in which step it happened, how long the previous ones took, and what is open. */
function namedSteps(describe: () => Promise<string>) {
  const past: string[] = [];
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await work();
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      const ms = Math.round(performance.now() - startedAt);
      throw new Error(`${name}, after ${ms} ms: ${message}\nbefore it: ${past.join(", ")}\n${await describe()}`, { cause });
    } finally {
      past.push(`${name} ${Math.round(performance.now() - startedAt)} ms`);
    }
  };
}

const lastWords = ({ process: { pid, exitCode, signalCode }, address, log }: StartedService) =>
  `process ${pid} on ${address} (${exitCode ?? signalCode ?? "runs"}) wrote last: ${log
    .slice(-25)
    .map((line) => `\n  ${line}`)
    .join("")}`;

const loudTasks = async (sql: Database) =>
  (await sql<{ id: string }[]>`select id from task_run where name = 'loud' and phase = 'running'`).map(({ id }) => id);

const lostAttempts = async (sql: Database) => [
  ...(await sql`select reason, status_message, started_at, ended_at from task_run_attempt where status = 'lost'`),
];

/** There is no time limit: it fails when nothing makes progress any more. */
async function allSucceed(sql: Database, runs: readonly string[]): Promise<void> {
  await untilStill(async () => {
    const open = await sql`
      select r.id, t.id as task_run_id, t.status, t.attempt from run r left join task_run t on t.team_id = r.team_id and t.run_id = r.id and t.phase <> 'completed'
      where r.id = any(${[...runs]}) and r.phase <> 'completed' order by 1, 2`;
    return open.length === 0 ? undefined : JSON.stringify(open);
  }, "every run is over");
  expect(await sql`select id, status, status_message from run where id = any(${[...runs]}) and status <> 'succeeded'`).toEqual([]);
}

/** Except those whose last attempt started earlier. */
async function restDelivered(sql: Database, since: Date): Promise<void> {
  await untilStill(async () => {
    const open = await sql`
      select id, attempts from delivery where status = 'pending' and (attempts = 0 or attempted_at > ${since})
      union all select id, null from change_event where dispatched_at is null order by 1`;
    return open.length === 0 ? undefined : JSON.stringify(open);
  }, "everything is delivered but what was under way at the kill");
}

async function allDelivered(sql: Database): Promise<void> {
  await untilStill(async () => {
    const open = await sql`
      select id, attempts from delivery where status in ('pending', 'waiting')
      union all select id, null from change_event where dispatched_at is null order by 1`;
    return open.length === 0 ? undefined : JSON.stringify(open);
  }, "each event is delivered");
  expect(await sql`select id, status, last_error from delivery where status <> 'delivered'`).toEqual([]);
}

/** Waits until `look` returns undefined, for as long as its results keep changing. */
async function untilStill(look: () => Promise<string | undefined>, what: string): Promise<void> {
  let before: string | undefined;
  let isOver = false;
  while (!isOver) {
    await until(async () => {
      const now = await look();
      const hasMoved = now !== before;
      before = now;
      isOver = now === undefined;
      return isOver || hasMoved;
    }, `${what}; it stands at ${before}`);
  }
}

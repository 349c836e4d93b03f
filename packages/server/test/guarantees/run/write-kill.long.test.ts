import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hashOneTimeCode } from "../../../src/base/secret/token-text.ts";
import { activateInstance } from "../../../src/store/settings/instance.ts";
import { setApproverGroup } from "../../../src/store/team/members.ts";
import { type Fault, FaultProxy } from "../../fakes/fault-proxy.ts";
import { adminToken, type TestAnswer, testApp } from "../../kit/app.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { cheapPasswordHash } from "../../kit/cheap-password.ts";
import { until } from "../../kit/until.ts";

// Writes that consist of more than one statement, in a process that is killed in the middle of them: they write everything or nothing.

const app = await testApp();
const proxy = await FaultProxy.start(app.address);
const victim = "victim of write-kill";
const team = await app.make.team();
const at = `/api/v2/team/${team.name}`;
let program = "";

beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../processes/write-program.ts", import.meta.url)));
  await app.as().put(`${at}/task/greet`, { spec: { script: "echo saved" } });
  await app.as().post(`${at}/workflow`, { name: "nightly", tasks: [], triggers: { schedule: { enabled: true } } });
  const greet = { name: "hello", type: "template", taskRef: "greet", dependencies: [{ taskRef: "start" }] };
  const ends = [
    { name: "start", type: "start" },
    { name: "end", type: "end", dependencies: [{ taskRef: "hello" }] },
  ];
  await app.as().post(`${at}/workflow`, { name: "greets", tasks: [greet, ...ends] });
  await app.as().put(`${at}/task/pause`, { type: "sleep", spec: {} });
  const wait = { name: "wait", taskRef: "pause", params: [{ name: "duration", value: "no number" }] };
  await app.as().post(`${at}/workflow`, { name: "fails", tasks: [wait] });
  await app.as().put(`${at}/task/shell`, { spec: { params: [{ name: "text", type: "string" }], script: "echo" } });
  await setApproverGroup(app.sql, team.id, "security", [approver.id]);
  await app.as().patch(at, { parameters: [{ name: "key", type: "password", value: "correct horse" }] });
  await app.as().put(`${at}/parameters/key/protection`, { approverGroup: "security" });
  // The first decision of a team, and its first run, add a row that stays.
  await app.as(approver.token).send("PUT", `${at}/action`, [{ id: await proposed(), approved: true }]);
  await app.as().post(`${at}/workflow/nightly/submit`, {});
}, 60_000);
afterAll(() => proxy.stop());

interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** False: no body is sent. */
  isSignedIn?: boolean;
  /** Token of the request; absent: the administrator's. */
  token?: string;
}

interface Write {
  /** A statement in the middle of it. */
  middle: RegExp;
  /** The number of transactions that are committed before it. */
  earlier?: number;
  /** The request, each time about other objects of the same kind. */
  next(): Promise<Request>;
  /** The same request, repeated after everything was done. */
  again?(answer: TestAnswer): void;
}

let round = 0;
async function schedule(): Promise<string> {
  const body = { workflowRef: "nightly", cronSchedule: "0 6 * * *", timezone: "UTC", name: `every day ${++round}` };
  return (await app.as().post(`${at}/schedule`, body)).body.id;
}

/** A user with a session, which a new password ends. */
async function userWithCode(): Promise<{ email: string; code: string }> {
  const { id, email } = await app.make.member(team.id, "editor");
  // The real hash takes a quarter of a second of processor time, and longer on a busy machine: only the reset itself uses it.
  await app.sql`update app_user set password_hash = ${cheapPasswordHash("first password")} where id = ${id}`;
  expect((await app.as(null).post("/api/v2/auth/password", { email, password: "first password" })).status).toBeLessThan(300);
  return { email, code: (await app.as().post(`/api/v2/user/${id}/password-code`)).body.code };
}

const editor = await app.make.member(team.id, "editor");
const approver = await app.make.member(team.id, "editor");

/** A workflow that uses the protected secret, even if only `text` refers to it. */
function shipping(name: string, text: string): { name: string; tasks: object[] } {
  return { name, tasks: [{ name: "ship", taskRef: "shell", params: [{ name: "text", value: text }] }] };
}

/** A version that waits for an approval. @returns the action */
async function proposed(): Promise<string> {
  const name = `ships-${++round}`;
  await app.as(editor.token).put(`${at}/workflow`, shipping(name, "nothing"));
  const { body } = await app.as(editor.token).put(`${at}/workflow`, shipping(name, "$(team.params.key)"));
  return body.errors[0].message;
}

const otc = "ABCDE-ABCDE-ABCDE-ABCDE";
const threeDays = { from: "2026-05-01T00:00:00Z", to: "2026-05-03T23:59:59Z" };

const writes: Record<string, Write> = {
  "a try of a draft": {
    middle: /insert into task\b/,
    async next() {
      return { method: "POST", path: `${at}/task/greet/try`, body: { draft: { spec: { script: "echo draft" } } } };
    },
  },
  "a submission that takes a slot": {
    middle: /insert_runs/,
    async next() {
      const name = `limited-${++round}`;
      await app.as().post(`${at}/workflow`, { name, tasks: [], concurrency: { max: 1 } });
      return { method: "POST", path: `${at}/workflow/${name}/submit`, body: {} };
    },
  },
  "a backfill": {
    middle: /insert_runs/,
    async next() {
      return { method: "POST", path: `${at}/schedule/${await schedule()}/backfill`, body: threeDays };
    },
    again: ({ body }) => expect(body.count).toBe(0),
  },
  "a run of a schedule": {
    middle: /insert_runs/,
    async next() {
      return { method: "POST", path: `${at}/schedule/${await schedule()}/submit`, headers: { "idempotency-key": `key-${++round}` } };
    },
    again: ({ status, body }) => expect([status, body.phase]).toEqual([200, "pending"]),
  },
  "a rerun of a run": {
    middle: /insert into run_rerun/,
    async next() {
      const { id } = (await app.as().post(`${at}/workflow/greets/submit`, {})).body;
      await app.as().delete(`${at}/workflowrun/${id}/cancel`);
      return { method: "POST", path: `${at}/workflowrun/${id}/rerun`, body: {}, headers: { "idempotency-key": `key-${++round}` } };
    },
    again: ({ status, body }) => expect([status, body.phase]).toEqual([200, "pending"]),
  },
  "a task that is marked as succeeded": {
    middle: /insert into run_rerun/,
    async next() {
      const { id } = (await app.as().post(`${at}/workflow/fails/submit?start=true`, {})).body;
      const body = { task: "wait", reason: `done by phone ${++round}` };
      return { method: "POST", path: `${at}/workflowrun/${id}/mark-succeeded`, body, headers: { "idempotency-key": `key-${round}` } };
    },
    again: ({ status, body }) => expect([status, body.phase]).toEqual([200, "pending"]),
  },
  "a bulk rerun with options": {
    middle: /insert into run_bulk/,
    async next() {
      await app.sql`update run_bulk set status = 'cancelled', ended_at = db_now() where status = 'running'`;
      const { id } = (await app.as().post(`${at}/workflow/greets/submit`, {})).body;
      await app.as().delete(`${at}/workflowrun/${id}/cancel`);
      const body = {
        action: "rerun",
        filter: { workflowruns: [id] },
        rerun: { version: "latest", params: [{ name: "who", value: "Ann" }] },
      };
      return { method: "POST", path: `${at}/workflowrun/bulk`, body, headers: { "idempotency-key": `key-${++round}` } };
    },
    again: ({ status, body }) => expect([status, body.total]).toEqual([202, 1]),
  },
  "a version that is proposed": {
    middle: /insert into workflow_proposal/,
    async next() {
      const name = `ships-${++round}`;
      await app.as(editor.token).put(`${at}/workflow`, shipping(name, "nothing"));
      const body = [{ kind: "Workflow", ...shipping(name, "$(team.params.key)") }];
      return { method: "POST", path: `${at}/apply`, body, token: editor.token };
    },
  },
  "a vote that publishes a version with a protected secret": {
    middle: /insert into secret_approval/,
    async next() {
      const body = [{ id: await proposed(), approved: true }];
      return { method: "PUT", path: `${at}/action`, body, token: approver.token };
    },
    again: ({ status }) => expect(status).toBe(409),
  },
  "a vote that is followed by its record": {
    middle: /insert into decision /,
    async next() {
      const body = [{ id: await proposed(), approved: false }];
      return { method: "PUT", path: `${at}/action`, body, token: approver.token };
    },
    again: ({ status }) => expect(status).toBe(409),
  },
  "a password by a one-time code": {
    middle: /update app_user set password_hash/,
    earlier: 1,
    async next() {
      const body = { ...(await userWithCode()), new: "second password" };
      return { method: "POST", path: "/api/v2/auth/password/reset", body, isSignedIn: false };
    },
    again: ({ status }) => expect(status).toBe(401),
  },
  "an activation by a one-time code": {
    middle: /insert into app_user/,
    earlier: 1,
    async next() {
      await app.sql`update instance set activated_at = null, one_time_code_hash = ${hashOneTimeCode(otc)}`;
      const body = { otc, email: `first-${++round}@example.org`, password: "a long password" };
      return { method: "PUT", path: "/api/v2/activate", body, isSignedIn: false };
    },
    again: ({ status }) => expect(status).toBe(401),
  },
};

describe.each(Object.entries(writes))("%s in a process that is killed", (_, write) => {
  const commit = { statement: /^commit/i, skip: write.earlier ?? 0 };
  const points: [string, Omit<Fault, "times">, "all" | "nothing"][] = [
    ["in the middle", { statement: write.middle, how: "after" }, "nothing"],
    ["before its commit", { ...commit, how: "before" }, "nothing"],
    ["between its commit and its answer", { ...commit, how: "after" }, "all"],
  ];

  test.each(points)("%s leaves all or nothing, and can be repeated", { timeout: 60_000 }, async (_, fault, expected) => {
    const whole = await wholeOf(write);
    const request = await write.next();
    const before = await look();
    await killDuring(request, { ...fault, times: 1 });
    const after = await look();
    if (expected === "nothing") expect(after).toEqual(before);
    else expect(difference(before.counts, after.counts)).toEqual(whole);
    if (expected === "all" && write.again === undefined) return;
    const answer = await ask(request);
    if (expected === "all") write.again?.(answer);
    else expect(answer.status).toBeLessThan(300);
    expect(difference(before.counts, (await look()).counts)).toEqual(whole);
    await activateInstance(app.sql);
  });
});

function ask({ method, path, body, headers, isSignedIn = true, token = adminToken }: Request): Promise<TestAnswer> {
  return app.as(isSignedIn ? token : null).send(method, path, body, headers);
}

/** The rows that the request adds and removes if nothing interrupts it. */
async function wholeOf(write: Write): Promise<Record<string, number>> {
  const request = await write.next();
  const before = await look();
  expect((await ask(request)).status).toBeLessThan(300);
  const whole = difference(before.counts, (await look()).counts);
  expect(whole).not.toEqual({});
  return whole;
}

/** Sends the request to a process of its own, which is killed at that point. */
async function killDuring({ method, path, body, headers, isSignedIn = true, token = adminToken }: Request, fault: Fault): Promise<void> {
  const settings = { address: proxy.address, key: app.key.toString("hex"), adminToken, name: victim };
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = await once(child.stdout as NodeJS.ReadableStream, "data");
  const end = once(child, "exit");
  proxy.faults.splice(0, proxy.faults.length, fault);
  proxy.onFault = () => void child.kill("SIGKILL");
  const sent = {
    method,
    headers: { "content-type": "application/json", ...headers, ...(isSignedIn && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body ?? {}),
  };
  await expect(fetch(`${url}${path}`, sent)).rejects.toThrow();
  expect(fault.times).toBe(0);
  await end;
  const isGone = async () =>
    (await app.sql`select 1 from pg_stat_activity where application_name = ${victim} and datname = current_database()`).length === 0;
  await until(isGone, "the database has ended its sessions");
}

interface Look {
  /** Rows by table. */
  counts: Record<string, number>;
  /** A hash of all their contents. */
  digests: Record<string, string>;
}

/**
 * The whole database, except the attempts to sign in, which are counted before anything is checked, and the times when tokens were used.
 */
async function look(): Promise<Look> {
  const tables = await app.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('failed_attempt', 'failed_sign_in') order by 1`;
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await app.sql<{ count: number; digest: string }[]>`
        select count(*)::int as count, md5(coalesce(string_agg(row, ' ' order by row), '')) as digest
        from ${app.sql(name)} one cross join lateral (select (to_jsonb(one) - 'last_used_at')::text) as of (row)`;
      return [name, row!] as const;
    }),
  );
  return {
    counts: Object.fromEntries(rows.map(([name, { count }]) => [name, count])),
    digests: Object.fromEntries(rows.map(([name, { digest }]) => [name, digest])),
  };
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changes = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

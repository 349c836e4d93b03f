import type { AddressInfo } from "node:net";
import { deflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { adminToken, testApp } from "../../../test/kit/app.ts";
import { followStream } from "../../../test/kit/follow-stream.ts";
import { CountingBus } from "../../../test/kit/run/counting-bus.ts";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { blockOfLine, encodeBlocks, type StoredLine } from "../../core/log/log-lines.ts";
import { insertLogChunks } from "../../store/log/log-chunks.ts";
import type { Claim } from "../../store/worker/workers.ts";

const bus = new CountingBus();
const { app, kit, team, outsider } = await runKit({ services: { bus } });
const admin = app.as();
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
});

const time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const works = workflow(node("work", "script", ["start"], { retry: { count: 1, backoffMs: 0 } }));

/** What a worker's log writer does: one chunk, then a wake. */
async function write(claim: Claim, seq: number, texts: string[], stream: StoredLine["stream"] = "output"): Promise<void> {
  const lines = texts.map((text, index) => ({ at: time + seq * 1000 + index, step: "main", stream, text }));
  const raw = encodeBlocks(lines.map(blockOfLine));
  const place = { teamId: claim.teamId, taskRunId: claim.id, attempt: claim.attempt, seq, firstLine: 0 };
  await insertLogChunks(app.sql, [{ ...place, lineCount: lines.length, rawBytes: raw.length, data: deflateRawSync(raw) }]);
  app.bus.wake("logs", claim.id);
}

async function claimed(nodes = works) {
  const made = await team();
  const workflowId = await made.workflow("works", nodes);
  const { id: runId } = await made.submit("works");
  const claim = await made.claim(await kit.worker());
  return { ...made, workflowId, runId, claim, at: (query = "") => `/api/v2/taskrun/${claim.id}/log${query}` };
}

/** A client that follows the log over a real connection; resolves with the head of the response. */
const follow = (path: string, token = adminToken) => followStream(port, path, token);

describe("the log as text", () => {
  test("has the raw lines of all attempts in order, with a separator line between them", async () => {
    const { claim, at, claim: first, id } = await claimed();
    await write(first, 0, ["one", "", "zwei — ✓"]);
    await write(first, 1, ["on stderr"], "stderr");
    await kit.end(claim, { status: "failed", reason: "ExitCode", message: "Exit code 3" });
    await app.sql`update task_run set due_at = db_now() where team_id = ${id} and wait_kind = 'retry'`;
    await kit.settle();
    const second = await kit.claim(await kit.worker(), id);
    await write(second, 0, ["again"]);
    await kit.end(second);
    const { status, headers, text } = await admin.get(at());
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(text).toBe("one\n\nzwei — ✓\non stderr\n--- attempt 2; attempt 1 ended as failed (ExitCode) ---\nagain\n");
  });

  test("has the time of each line on request", async () => {
    const { claim, at } = await claimed();
    await write(claim, 0, ["one", "two"]);
    await kit.end(claim);
    expect((await admin.get(at("?timestamps=true"))).text).toBe("2026-01-02T03:04:05.678Z one\n2026-01-02T03:04:05.679Z two\n");
  });

  test("streams the lines as JSON, with details that plain text leaves out", async () => {
    const { claim, at } = await claimed();
    await write(claim, 0, ["one", "two\u2028three"]);
    await kit.end(claim);
    const { text, headers } = await admin.get(at("?fromLine=2"), { accept: "application/x-ndjson" });
    expect(headers).toMatchObject({ "content-type": "application/x-ndjson", "x-first-line": "2" });
    expect(text.endsWith("}\n")).toBe(true);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ time: "2026-01-02T03:04:05.679Z", step: expect.any(String), text: "two\u2028three" }]);
  });

  test("with follow=false ends after the lines written so far", async () => {
    const { claim, at } = await claimed();
    expect(await admin.get(at("?follow=false"))).toMatchObject({ status: 200, text: "" });
    await write(claim, 0, ["so far"]);
    expect((await admin.get(at("?follow=false"))).text).toBe("so far\n");
  });

  test("of a task that the engine runs itself is empty", async () => {
    const made = await team();
    await made.workflow("sets", workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" }))));
    const { id } = await made.submit("sets");
    expect(await admin.get(`/api/v2/taskrun/${taskOf(await made.run(id), "set").id}/log`)).toMatchObject({ status: 200, text: "" });
  });

  test("of many lines comes whole and in order", async () => {
    const { claim, at } = await claimed();
    for (let seq = 0; seq < 12; seq++)
      await write(
        claim,
        seq,
        Array.from({ length: 1000 }, (_, index) => `line ${seq * 1000 + index} ${"x".repeat(50)}`),
      );
    await kit.end(claim);
    // Over a connection: on Node 24 an injected request never drains once it has more than 64 KiB.
    const reader = await follow(at());
    expect(await reader.ended).toBe(true);
    const lines = reader.text.split("\n");
    expect(lines).toHaveLength(12_001);
    expect(lines.every((line, index) => index === 12_000 || line.startsWith(`line ${index} `))).toBe(true);
  });
});

describe("a live reader", () => {
  test("gets the head at once, each line when it is written, and the end when the task run is over", async () => {
    const { claim, at } = await claimed();
    const follower = await follow(at());
    expect(follower.response.statusCode).toBe(200);
    await write(claim, 0, ["first"]);
    await follower.until("first\n");
    await write(claim, 1, ["second"]);
    await follower.until("second\n");
    await kit.end(claim);
    expect(await follower.ended).toBe(true);
    expect(follower.text).toBe("first\nsecond\n");
  });

  test("waits for a task that has not begun, through its attempts", async () => {
    const made = await team();
    await made.workflow("later", workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })), node("work", "script", ["wait"])));
    const { id } = await made.submit("later");
    const follower = await follow(`/api/v2/taskrun/${taskOf(await made.run(id), "work").id}/log`);
    await admin.get(`/api/v2/callback?ref=${id}&topic=go`);
    await kit.settle();
    const claim = await made.claim(await kit.worker());
    await write(claim, 0, ["begun"]);
    await follower.until("begun\n");
    await kit.end(claim);
    expect(await follower.ended).toBe(true);
  });

  test("comes to its end when the task is skipped, or the run is cancelled", async () => {
    const made = await team();
    await made.workflow(
      "later",
      workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })), node("work", "script", [{ from: "wait", on: "success" }])),
    );
    const tasks = [await made.submit("later"), await made.submit("later")];
    const followers = await Promise.all(
      tasks.map(async ({ id }) => follow(`/api/v2/taskrun/${taskOf(await made.run(id), "work").id}/log`)),
    );
    await admin.get(`/api/v2/callback?ref=${tasks[0]?.id}&topic=go&status=failed`);
    await admin.delete(`${made.path}/workflowrun/${tasks[1]?.id}/cancel`);
    expect(await Promise.all(followers.map(({ ended }) => ended))).toEqual([true, true]);
  });

  test.each<[string, (path: string, userId: string) => Promise<unknown>]>([
    ["whose account is deactivated", (_, userId) => admin.patch(`/api/v2/user/${userId}`, { status: "inactive" })],
    ["who is removed from the team", (path, id) => admin.delete(`${path}/members`, [{ id }])],
  ])("%s is cut off, and reads no line that is written afterwards", async (_, putOut) => {
    const { claim, at, id, path } = await claimed();
    const member = await app.make.member(id, "reader");
    const follower = await follow(at(), member.token);
    await write(claim, 0, ["for the follower"]);
    await follower.until("for the follower\n");
    await putOut(path, member.id);
    await write(claim, 1, ["not for the follower"]);
    expect(await follower.ended).toBe(false);
    expect(follower.text).toBe("for the follower\n");
  });

  test("finds the end by itself when the wake was lost", async () => {
    const { claim, at } = await claimed();
    const follower = await follow(at());
    await app.sql`update task_run set status = 'succeeded', phase = 'completed', ended_at = db_now() where id = ${claim.id}`;
    expect(await follower.ended).toBe(true);
  });

  test("that disconnects leaves nothing behind", async () => {
    const { claim, at } = await claimed();
    await turnsUntil(() => bus.listening === 0);
    const follower = await follow(at());
    await write(claim, 0, ["first"]);
    await follower.until("first\n");
    expect(bus.listening).toBe(4);
    follower.request.destroy();
    await follower.ended;
    await turnsUntil(() => bus.listening === 0);
  });

  test("that sends a HEAD request gets the headers, and holds no resources", async () => {
    const { at } = await claimed();
    await turnsUntil(() => bus.listening === 0);
    const { status, headers, text } = await admin.send("HEAD", at());
    expect([status, headers["content-type"], text]).toEqual([200, "text/plain; charset=utf-8", ""]);
    expect(bus.listening).toBe(0);
  });

  test("that reads slowly blocks nobody, and gets everything", async () => {
    const { claim, at } = await claimed();
    const follower = await follow(at());
    follower.response.pause();
    const big = "y".repeat(10_000);
    for (let seq = 0; seq < 40; seq++)
      await write(
        claim,
        seq,
        Array.from({ length: 50 }, () => big),
      );
    await kit.end(claim);
    follower.response.resume();
    expect(await follower.ended).toBe(true);
    expect(follower.text.length).toBe(40 * 50 * 10_001);
  });

  test("is cut off, not ended, when the server stops, and does not delay the stop", async () => {
    const other = await testApp();
    await other.server.listen({ host: "127.0.0.1", port: 0 });
    const team = await other.make.team();
    const ids = await other.sql`select new_id() as run, new_id() as task, new_id() as workflow`;
    const { run, task, workflow: flow } = ids[0] as unknown as Record<string, string>;
    await other.sql`insert into workflow (team_id, id, name, display_name, triggers, latest_version) values (${team.id}, ${flow!}, 'w', 'w', '{}', 1)`;
    await other.sql`
      insert into run (team_id, id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count, started_at)
      values (${team.id}, ${run!}, ${flow!}, new_id(), 1, '{}', 'running', 'running', 'manual', '{}', 1, db_now())`;
    await other.sql`
      insert into task_run (team_id, id, run_id, node, name, type, status, phase)
      values (${team.id}, ${task!}, ${run!}, 1, 'work', 'script', 'running', 'running')`;
    port = (other.server.server.address() as AddressInfo).port;
    const follower = await follow(`/api/v2/taskrun/${task}/log`);
    await other.server.close();
    expect(await follower.ended).toBe(false);
    port = (app.server.server.address() as AddressInfo).port;
  });
});

describe("the log as JSON", () => {
  const json = { accept: "application/json" };

  test("has lines with time, step and stream, in pages without gaps", async () => {
    const { claim, at, id } = await claimed();
    await write(claim, 0, ["a", "b", "c"]);
    await kit.end(claim, { status: "failed", reason: "ExitCode", message: "x" });
    await app.sql`update task_run set due_at = db_now() where team_id = ${id} and wait_kind = 'retry'`;
    await kit.settle();
    const second = await kit.claim(await kit.worker(), id);
    await write(second, 0, ["d"], "stderr");
    const seen: string[] = [];
    let next: string | undefined = "0.0.0";
    for (let page = 0; page < 3 && next; page++) {
      const { status, body } = await admin.get(at(`?limit=2&after=${next}`), json);
      expect(status).toBe(200);
      seen.push(...body.lines.map((line: { stream?: string; text: string }) => `${line.stream} ${line.text}`));
      next = body.next;
    }
    expect(seen).toEqual([
      "undefined a",
      "undefined b",
      "undefined c",
      "system --- attempt 2; attempt 1 ended as failed (ExitCode) ---",
      "stderr d",
    ]);
    const waiting = await admin.get(at(`?after=${next}`), json);
    expect(waiting.body).toEqual({ lines: [], next });
    await write(second, 1, ["e"]);
    await kit.end(second);
    const last = await admin.get(at(`?after=${next}`), json);
    expect(last.body).toEqual({ lines: [{ time: "2026-01-02T03:04:06.678Z", step: "main", text: "e" }], next: null });
  });

  test("answers at once, and refuses an invalid cursor", async () => {
    const { at } = await claimed();
    expect((await admin.get(at(), json)).body).toEqual({ lines: [], next: "0.0.0" });
    for (const query of ["?after=x", "?after=1.2", "?limit=0", "?limit=10001"])
      expect((await admin.get(at(query), json)).status, query).toBe(400);
    expect((await admin.get(at(), { accept: "image/png" })).status).toBe(406);
    expect((await admin.get(at("?follow=perhaps"))).status).toBe(400);
  });
});

describe("a log is for", () => {
  const quick = "?follow=false";

  test("who may read task runs in the team of the run; others learn nothing of it", async () => {
    const { at, id, member } = await claimed();
    const unknown = { status: 404, body: { code: 1501, reason: "TASKRUN_INVALID_REFERENCE" } };
    expect((await app.as(null).get(at(quick))).status).toBe(401);
    expect(await (await outsider()).get(at(quick))).toMatchObject(unknown);
    expect(await app.as(await app.make.teamToken((await team()).id)).get(at(quick))).toMatchObject(unknown);
    expect(await admin.get(`/api/v2/taskrun/01890000-0000-7000-8000-000000000000/log${quick}`)).toMatchObject(unknown);
    expect(await admin.get(`/api/v2/taskrun/nonsense/log${quick}`)).toMatchObject(unknown);
    expect((await app.as(await app.make.teamToken(id, ["workflow/read"])).get(at(quick))).status).toBe(403);
    expect((await (await member("reader")).get(at(quick))).status).toBe(200);
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${id}`;
    expect(await admin.get(at(quick))).toMatchObject(unknown);
  });

  test("the token of the workflow, in the query too", async () => {
    const { at, id, workflowId, workflow: make } = await claimed();
    expect((await app.as(await app.make.workflowToken(id, await make("other", works))).get(at(quick))).status).toBe(404);
    const own = await app.make.workflowToken(id, workflowId, ["taskrun/read"]);
    expect((await app.as(null).get(at(`${quick}&access_token=${own}`))).status).toBe(200);
  });
});

/** The server notices a closed connection in a later turn of its loop. */
async function turnsUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openLogArchive } from "../../../src/archives/log-archive.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { blockOfLine, encodeBlocks, type StoredLine } from "../../../src/core/log/log-lines.ts";
import type { LogStore } from "../../../src/domain/log/log-store.ts";
import { purgeDeletedWorkflows } from "../../../src/domain/workflow/delete-workflow.ts";
import { LogMover } from "../../../src/engine/log-mover.ts";
import { insertLogChunks } from "../../../src/store/log/log-chunks.ts";
import { hasS3Server, startS3Server } from "../../fakes/s3-server.ts";
import { moveTime, setTestTime } from "../../kit/database.ts";
import { historyKit } from "../../kit/history/history-kit.ts";
import { runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Logs that are stored in a bucket instead of the database: readers see no difference, and nothing is lost during the move. */
if (!hasS3Server) console.log("skipped: versitygw is not installed");

/** A store that a test puts in place of the bucket. */
let current: LogStore;
const store: LogStore = {
  get name() {
    return current.name;
  },
  put: (...all) => current.put(...all),
  get: (...all) => current.get(...all),
  getPart: (...all) => current.getPart(...all),
  remove: (...all) => current.remove(...all),
};

const hourMs = 3_600_000;
const works = workflow(node("work", "script", ["start"], { retry: { count: 1, backoffMs: 0 } }));

describe.runIf(hasS3Server)("a log in the log store", async () => {
  if (!hasS3Server) return;
  const server = await startS3Server();
  for (const [name, value] of Object.entries(server.credentials)) vi.stubEnv(name, value);
  const bucket = await openLogArchive({ kind: "s3", bucket: "bucket", prefix: "pre/", endpoint: server.endpoint });
  afterAll(() => {
    server.stop();
    vi.unstubAllEnvs();
  });
  const { app, kit, team } = await runKit({ services: { logStore: store } });
  const { sql } = app;
  const admin = app.as();
  const mover = (of: LogStore = store) => new LogMover({ sql, store: of, hours: 1, log: createLog("silent") });
  const round = async (of?: LogStore) => {
    const one = mover(of);
    await one.round(new AbortController().signal);
    await one.stop();
  };

  beforeEach(async () => {
    current = bucket;
    await sql`delete from log_moving`;
    await setTestTime(sql, 0);
  });

  type Claim = Awaited<ReturnType<typeof kit.claim>>;
  const time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

  async function write(claim: Claim, seq: number, texts: string[], stream: StoredLine["stream"] = "output"): Promise<number> {
    const raw = encodeBlocks(texts.map((text, index) => blockOfLine({ at: time + seq * 1000 + index, step: "main", stream, text })));
    const place = { teamId: claim.teamId, taskRunId: claim.id, attempt: claim.attempt, seq, firstLine: 0 };
    return insertLogChunks(sql, [{ ...place, lineCount: texts.length, rawBytes: raw.length, data: deflateRawSync(raw) }]);
  }

  async function claimed() {
    const made = await team();
    const workflowId = await made.workflow("works", works);
    const { id: runId } = await made.submit("works");
    const claim = await made.claim(await kit.worker());
    return { ...made, workflowId, runId, claim, log: `/api/v2/taskrun/${claim.id}/log` };
  }

  /** Its first attempt has failed; the second one runs. */
  async function retried() {
    const made = await claimed();
    await write(made.claim, 0, ["one", "", "zwei — ✓", "\u001b[31mred\u001b[0m"]);
    await write(made.claim, 1, ["on stderr", "error: broken"], "stderr");
    await write(
      made.claim,
      2,
      Array.from({ length: 50 }, (_, n) => `line ${n}`),
    );
    await kit.end(made.claim, { status: "failed", reason: "ExitCode", message: "Exit code 3" });
    await sql`update task_run set due_at = db_now() where team_id = ${made.id} and wait_kind = 'retry'`;
    await kit.settle();
    const second = await kit.claim(await kit.worker(), made.id);
    return { ...made, second };
  }

  async function over() {
    const made = await retried();
    await write(made.second, 0, ["again", "the end"]);
    await kit.end(made.second);
    return made;
  }

  const chunks = async (taskRunId: string) => (await sql`select from log_chunk where task_run_id = ${taskRunId}`).length;
  const objects = (taskRunId: string) =>
    sql<{ key: string }[]>`select key from log_object where task_run_id = ${taskRunId} order by attempt`;
  const filesOf = (teamId: string) => {
    try {
      return readdirSync(join(server.folder, "pre/logs", teamId), { recursive: true })
        .map((name) => join(server.folder, "pre/logs", teamId, String(name)))
        .filter((path) => statSync(path).isFile());
    } catch {
      return [];
    }
  };

  /** The responses of every request about a log. */
  async function everything(log: string) {
    const pages: unknown[] = [];
    const json = { accept: "application/json" };
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await admin.get(`${log}?limit=7${next === "" ? "" : `&after=${next}`}`, json);
      pages.push(body.lines);
      next = pages.length < 20 ? body.next : null;
    }
    const texts = ["?follow=false", "?follow=false&timestamps=true", "?follow=false&tail=5", "?follow=false&fromLine=5&limit=3"];
    const searches = ["text=line%204", "pattern=%5Eline.*9%24", "errors=true", "stream=system", "fromLine=9&limit=2", "text=red"];
    const answers: unknown[] = [];
    for (const query of texts) {
      const { status, text, headers } = await admin.get(log + query);
      answers.push([status, text, headers["x-first-line"], headers["x-total-lines"]]);
    }
    for (const query of searches) answers.push((await admin.get(`${log}/search?${query}`)).body);
    for (const query of ["tail=3", "fromLine=57", "tail=0"]) answers.push((await admin.get(`${log}?${query}`, json)).body);
    return { pages, answers };
  }

  test("reads as before: in pages, as text, by number, by search, and from an older cursor", async () => {
    const { claim, log, id } = await over();
    const before = await everything(log);
    const { body: page } = await admin.get(`${log}?limit=5`, { accept: "application/json" });
    expect(JSON.stringify(before)).toContain("--- attempt 2; attempt 1 ended as failed (ExitCode) ---");
    await round();
    expect([await chunks(claim.id), await objects(claim.id)], "not before its time").toEqual([4, []]);
    await moveTime(sql, 2 * hourMs);
    await round();
    expect([await chunks(claim.id), (await objects(claim.id)).length, filesOf(id).length]).toEqual([0, 2, 2]);
    expect(await everything(log)).toEqual(before);
    const { body: rest } = await admin.get(`${log}?limit=3&after=${page.next}`, { accept: "application/json" });
    expect(rest.lines.map(({ text }: { text: string }) => text)).toEqual(["error: broken", "line 0", "line 1"]);
    for (const { key } of await objects(claim.id)) expect(key).toMatch(/^logs\/[0-9a-f-]{36}\/[0-9a-f-]{36}\/\d+-[0-9a-f]{12}$/);
  });

  test("of an ended attempt continues with that of the running one", async () => {
    const { claim, second, log } = await retried();
    await write(second, 0, ["again"]);
    const before = await everything(log);
    await moveTime(sql, 2 * hourMs);
    await round();
    expect([await chunks(claim.id), (await objects(claim.id)).length]).toEqual([1, 1]);
    expect(await everything(log)).toEqual(before);
    expect(await write(claim, 3, ["too late"]), "nothing is added to what was moved").toBe(0);
    await write(second, 1, ["more"]);
    expect((await admin.get(`${log}?follow=false&tail=2`)).text).toBe("again\nmore\n");
  });

  const killed = new Error("killed");
  const dies = async () => {
    throw killed;
  };
  const half = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const piece of content) {
      yield piece;
      throw killed;
    }
  };
  test.each<[string, (of: LogStore) => Partial<LogStore>]>([
    ["before it is stored", () => ({ put: dies })],
    ["while it is stored", (of) => ({ put: (key, content, signal) => of.put(key, half(content), signal) })],
    ["after it was stored", (of) => ({ put: (...all) => of.put(...all).then(dies) })],
    ["after it was read back", (of) => ({ get: (...all) => of.get(...all).then(dies) })],
  ])("stays whole when the process dies %s, and nothing is left in the bucket", async (_, part) => {
    const { claim, log, id } = await over();
    const before = await everything(log);
    await moveTime(sql, 2 * hourMs);
    current = { ...bound(bucket), ...part(bucket) };
    await round();
    expect([await chunks(claim.id), await objects(claim.id)]).toEqual([4, []]);
    expect(await everything(log)).toEqual(before);
    current = bucket;
    await moveTime(sql, 7 * hourMs);
    await round();
    expect([await chunks(claim.id), (await objects(claim.id)).length, filesOf(id).length]).toEqual([0, 2, 2]);
    expect(await sql`select key from log_object_unused`).toEqual([]);
    expect(await everything(log)).toEqual(before);
  });

  const bound = (of: LogStore): LogStore => ({
    name: of.name,
    put: (...all) => of.put(...all),
    get: (...all) => of.get(...all),
    getPart: (...all) => of.getPart(...all),
    remove: (...all) => of.remove(...all),
  });

  test("is moved once, even if a second process starts because the first one seemed dead", async () => {
    const { claim, log, id } = await over();
    const before = await everything(log);
    await moveTime(sql, 2 * hourMs);
    let isSecond = false;
    await round({
      ...bound(bucket),
      get: async (...all) => {
        if (!isSecond) {
          isSecond = true;
          await sql`update log_moving set until = db_now() - interval '1 second'`;
          await round(bucket);
        }
        return bucket.get(...all);
      },
    });
    expect([await chunks(claim.id), (await objects(claim.id)).length]).toEqual([0, 2]);
    expect(await everything(log)).toEqual(before);
    await moveTime(sql, 7 * hourMs);
    await round();
    expect(filesOf(id)).toHaveLength(2);
  });

  test("that was removed while it was moved leaves nothing behind", async () => {
    const { claim, id } = await over();
    await moveTime(sql, 2 * hourMs);
    await round({
      ...bound(bucket),
      get: async (...all) => {
        await sql`delete from log_chunk where task_run_id = ${claim.id}`;
        return bucket.get(...all);
      },
    });
    expect(await objects(claim.id)).toEqual([]);
    await moveTime(sql, 7 * hourMs);
    await round();
    expect(filesOf(id)).toEqual([]);
  });

  test("gives an error with its own reason while the store is down, not an empty log; health reports it", async () => {
    const { log, claim } = await over();
    await moveTime(sql, 2 * hourMs);
    await round();
    const before = await everything(log);
    current = await openLogArchive({ kind: "s3", bucket: "bucket", prefix: "pre/", endpoint: "http://127.0.0.1:1" });
    for (const [path, accept] of [
      [`${log}?follow=false`, "text/plain"],
      [log, "application/json"],
      [`${log}/search?text=line`, "application/json"],
    ] as const) {
      const { status, body, headers } = await admin.get(path, { accept });
      expect([status, body.reason, headers["retry-after"]]).toEqual([503, "LOG_STORE_UNAVAILABLE", "10"]);
      expect(JSON.stringify(body)).not.toContain("bucket");
    }
    expect((await admin.get("/health")).body).toMatchObject({ status: "up", logStore: { status: "up" } });
    const late = await over();
    await moveTime(sql, 2 * hourMs);
    await round();
    expect((await admin.get("/health")).body).toMatchObject({
      status: "degraded",
      logStore: { status: "failing", failingSince: expect.any(String), detail: expect.stringMatching(/ECONNREFUSED|connect/) },
    });
    expect((await app.as(null).get("/health")).body.logStore).not.toHaveProperty("detail");
    expect(await chunks(late.claim.id)).toBe(4);
    current = bucket;
    await round();
    expect((await admin.get("/health")).body).toMatchObject({ status: "up", logStore: { status: "up" } });
    expect([await everything(log), await chunks(late.claim.id), await chunks(claim.id)]).toEqual([before, 0, 0]);
  });

  test("that was changed or lost in the bucket is the same error", async () => {
    const { log, id } = await over();
    await moveTime(sql, 2 * hourMs);
    await round();
    for (const path of filesOf(id)) {
      const content = readFileSync(path);
      content[content.length >> 1]! ^= 1;
      writeFileSync(path, content);
    }
    const read = async () => (await admin.get(log, { accept: "application/json" })).body.reason;
    expect(await read()).toBe("LOG_STORE_UNAVAILABLE");
    for (const path of filesOf(id)) await bucket.remove(path.slice(join(server.folder, "pre/").length));
    expect(await read()).toBe("LOG_STORE_UNAVAILABLE");
  });

  test("is removed with its retention, and then reported as removed, not empty", async () => {
    const { claim, id, runId } = await over();
    const [aged] = await sql<{ id: string }[]>`
      update task_run set id = overlay(id_floor(now() - interval '40 days')::text placing right(id::text, 12) from 25)::uuid,
        ended_at = now() - interval '31 days' where id = ${claim.id} returning id`;
    await sql`update log_chunk set task_run_id = ${aged!.id} where task_run_id = ${claim.id}`;
    await round();
    expect(filesOf(id)).toHaveLength(2);
    const { remove } = historyKit(sql);
    expect((await remove()).logObjects).toBe(0);
    await sql`update run set ended_at = now() - interval '31 days' where id = ${runId}`;
    expect((await remove()).logObjects).toBe(2);
    expect(await objects(aged!.id)).toEqual([]);
    await round();
    expect(filesOf(id)).toEqual([]);
    expect(await admin.get(`/api/v2/taskrun/${aged!.id}/log`)).toMatchObject({ status: 410, body: { reason: "TASKRUN_LOG_REMOVED" } });
  });

  test("is deleted with its team", async () => {
    const { claim, id, path } = await over();
    await moveTime(sql, 2 * hourMs);
    await round();
    expect(filesOf(id)).toHaveLength(2);
    expect((await admin.delete(path)).status).toBe(204);
    await moveTime(sql, 2 * hourMs);
    await purgeDeletedWorkflows(sql, 50);
    expect(await objects(claim.id)).toEqual([]);
    await round();
    expect(filesOf(id)).toEqual([]);
  });

  test("of 100 MB is moved and read in bounded memory; a page in the middle reads a part of it", { timeout: 120_000 }, async () => {
    const { claim, log } = await claimed();
    const linesOfChunk = 1000;
    for (let seq = 0; seq < 100; seq++)
      await write(
        claim,
        seq,
        Array.from({ length: linesOfChunk }, (_, n) => `${seq * linesOfChunk + n + 1} ${randomBytes(510).toString("hex")}`),
      );
    await kit.end(claim);
    await moveTime(sql, 2 * hourMs);
    let read = 0;
    current = {
      ...bound(bucket),
      getPart: async (...all) => {
        const part = await bucket.getPart(...all);
        read += part.byteLength;
        return part;
      },
    };
    const usedMb = () => (process.memoryUsage().heapUsed + process.memoryUsage().external) / 2 ** 20;
    const before = usedMb();
    let most = before;
    const sampling = setInterval(() => {
      most = Math.max(most, usedMb());
    }, 10);
    await round();
    clearInterval(sampling);
    expect([await chunks(claim.id), (await objects(claim.id)).length]).toEqual([0, 1]);
    console.log(`moving 100 MB took ${Math.round(most - before)} MB of memory at the most`);
    expect(most - before).toBeLessThan(150);
    const { body } = await admin.get(`${log}?fromLine=50500&limit=10`, { accept: "application/json" });
    expect(body.lines[0].text).toMatch(/^50500 /);
    expect([body.totalLines, body.lines.length]).toEqual([100_000, 10]);
    expect(read).toBeLessThan(2 * 2 ** 20);
    expect((await admin.get(`${log}/search?text=99999%20&fromLine=99000`)).body.ranges).toContainEqual({ first: 99_999, last: 99_999 });
  });
});

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readLines } from "../../../src/api/log/read-lines.ts";
import { startInstance } from "../../../src/app.ts";
import { openLogArchive } from "../../../src/archives/log-archive.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { blockOfLine, encodeBlocks, logStart } from "../../../src/core/log/log-lines.ts";
import { LogMover } from "../../../src/engine/log-mover.ts";
import { insertLogChunks } from "../../../src/store/log/log-chunks.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { createFactories } from "../../kit/factories.ts";
import { until } from "../../kit/until.ts";

const { sql, address } = await testDatabase();
/** For the test with a complete service. */
const other = await testDatabase();
const make = createFactories(sql);
const folder = mkdtempSync(join(tmpdir(), "logs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let program: string;

beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../processes/log-move-program.ts", import.meta.url)), [
    "tar-stream",
    "@aws-sdk/*",
  ]);
}, 60_000);

interface Written {
  teamId: string;
  taskRunId: string;
  texts: string[];
}

/** A task that is over, with some chunks of lines. */
async function writeLog(teamId: string, number: number): Promise<Written> {
  const [task] = await sql<{ id: string }[]>`
    insert into task_run (team_id, run_id, node, name, type, status, phase, attempt, started_at, ended_at)
    values (${teamId}, new_id(), 1, 'work', 'script', 'succeeded', 'completed', 1, db_now(), db_now()) returning id`;
  const texts: string[] = [];
  for (let seq = 0; seq < 3; seq++) {
    const lines = [`log ${number}, chunk ${seq}`, "x".repeat(5000)];
    const raw = encodeBlocks(lines.map((text) => blockOfLine({ at: 0, step: "main", stream: "output", text })));
    const chunk = { teamId, taskRunId: task!.id, attempt: 1, seq, firstLine: 0, lineCount: lines.length, rawBytes: raw.length };
    await insertLogChunks(sql, [{ ...chunk, data: deflateRawSync(raw) }]);
    texts.push(...lines);
  }
  return { teamId, taskRunId: task!.id, texts };
}

/** Lets a process move logs, and kills it when it has printed this many lines. @returns its last line */
async function killAfter(count: number): Promise<string> {
  const child = spawn(process.execPath, [program, JSON.stringify({ address, folder })], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exit = once(child, "exit");
  let said = 0;
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    if (++said === count) child.kill("SIGKILL");
    else child.stdin.write("go on\n");
  }
  await exit;
  return last;
}

const files = () =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());

/** For the database and for the files that lie in the store. */
async function moveTimeOfAll(hours: number): Promise<void> {
  await moveTime(sql, hours * 3_600_000);
  for (const path of files()) {
    const written = statSync(path).mtimeMs / 1000 - hours * 3600;
    utimesSync(path, written, written);
  }
}

test("a process that moves logs can be killed at any moment: each log is whole at any time, and nothing is left in the store", {
  timeout: 120_000,
}, async () => {
  const { id: teamId } = await make.team();
  const logs: Written[] = [];
  for (let number = 0; number < 12; number++) logs.push(await writeLog(teamId, number));
  const store = await openLogArchive({ kind: "folder", path: folder });
  const expectWhole = async () => {
    for (const { texts, ...place } of logs) {
      const { lines } = await readLines({ db: sql, store, ...place }, logStart, { lines: 1000, characters: 1e9 });
      expect(lines.map(({ text }) => text)).toEqual(texts);
    }
  };
  const seen = new Set<string>();
  for (let count = 1; count <= 9; count++) {
    // The lease of the killed process has expired, so in the end the objects that it left behind are due for removal.
    await moveTimeOfAll(count === 6 ? 7 : 1);
    seen.add(await killAfter(count));
    await expectWhole();
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining(["read", "statement", "stored"]));
  await moveTimeOfAll(7);
  const mover = new LogMover({ sql, store, hours: 1, log: createLog("silent") });
  await mover.round(new AbortController().signal);
  await moveTimeOfAll(7);
  await mover.round(new AbortController().signal);
  await expectWhole();
  const [row] = await sql<{ chunks: number; objects: number; unused: number }[]>`
    select (select count(*)::int from log_chunk) as chunks, (select count(*)::int from log_object) as objects,
      (select count(*)::int from log_object_unused) as unused`;
  expect({ ...row, files: files().length }).toEqual({ chunks: 0, objects: 12, unused: 0, files: 12 });
});

test("the service moves logs to the store of its settings, and says so in its health", { timeout: 60_000 }, async () => {
  const { sql: own, url } = other;
  await writeTwoLogs();
  const dataDir = mkdtempSync(join(folder, "service-"));
  const settings = {
    ...{
      DATABASE_URL: url,
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      MILLRACE_SEED: "false",
    },
    ...{ MILLRACE_ROLES: "api,engine", MILLRACE_PORT: "0", MILLRACE_LOG_STORE: join(dataDir, "logs"), MILLRACE_LOG_STORE_HOURS: "2" },
  };
  const instance = await startInstance(readConfig(settings), createLog("silent"));
  onTestFinished(() => instance.stop());
  await until(async () => (await own`select from log_object`).length === 1, "the log is moved");
  expect(await (await fetch(`${instance.address}/health`)).json()).toMatchObject({ status: "up", logStore: { status: "up" } });
  expect(await own`select from log_chunk`).toHaveLength(1);
});

/** One log that is old enough to move, and one that is not. */
async function writeTwoLogs(): Promise<void> {
  const { id: teamId } = await createFactories(other.sql).team();
  const data = deflateRawSync(encodeBlocks([blockOfLine({ at: 0, step: "main", stream: "output", text: "line" })]));
  for (const hours of [3, 1]) {
    const [task] = await other.sql<{ id: string }[]>`
      insert into task_run (id, team_id, run_id, node, name, type, status, phase, attempt, started_at, ended_at)
      select id_floor(at), ${teamId}, new_id(), 1, 'work', 'script', 'succeeded', 'completed', 1, at, at
      from (select db_now() - make_interval(hours => ${hours}) as at) as moment returning id`;
    await insertLogChunks(other.sql, [{ teamId, taskRunId: task!.id, attempt: 1, seq: 0, firstLine: 0, lineCount: 1, rawBytes: 30, data }]);
  }
}

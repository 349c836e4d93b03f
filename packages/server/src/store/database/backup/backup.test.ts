import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "../../../../test/kit/database.ts";
import { createSchema35 } from "../../../../test/kit/start/schema-35.ts";
import { createLog } from "../../../base/process/log.ts";
import { EmbeddedServer } from "../../embedded/embedded.ts";
import { createPool, type Database } from "../database.ts";
import { migrate } from "../schema/migrate.ts";
import { newestVersion, readSchema } from "../schema/schema-files.ts";
import { backUp } from "./backup.ts";
import { refuseData, restore } from "./restore.ts";

const { sql } = await testDatabase();
const folder = mkdtempSync("/tmp/millrace-backup-test-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshFile = () => join(folder, `backup ${files++}.millrace`);

const team = "01890000-0000-7000-8000-000000000001";
const odd = 'tab\there, line\nbreak, back\\slash, \\N, "quotes", umlaut ü, emoji 🦀, \\. and ;';

await sql`insert into team (id, name, display_name, labels) values (${team}, 'odd', ${odd}, ${JSON.stringify({ key: odd })}::jsonb)`;
await sql`insert into log_chunk (team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
  values (${team}, new_id(), 1, 1, 0, 1, 3, ${Buffer.from([0, 10, 13, 92, 255])})`;
await sql`insert into worker (host, pid, roles, executors, slots, lease_until) values ('here', 1, ${["api", 'a "b", c']}, '{}', 4, db_now())`;
await sql`insert into run_signal (team_id, run_id, kind) values (${team}, new_id(), 'cancel'), (${team}, new_id(), 'event')`;
// A row of a month long ago, which has a partition of its own.
await sql.unsafe(
  `create table log_chunk_202001 partition of log_chunk for values from ('${floor("2020-01-01")}') to ('${floor("2020-02-01")}')`,
);
await sql`insert into log_chunk (id, team_id, task_run_id, attempt, seq, first_line, line_count, raw_bytes, data)
  values (id_floor('2020-01-15'), ${team}, new_id(), 1, 1, 0, 0, 0, '')`;
await sql`update instance set key_fingerprint = 'abc'`;

function floor(day: string): string {
  const ms = Date.parse(day).toString(16).padStart(12, "0");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

/** Every row of every table, as text. */
async function contentOf(db: Database): Promise<Record<string, string[]>> {
  const tables = await db<{ name: string }[]>`
    select relname as "name" from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname not in ('schema_migration', 'function_file') order by relname`;
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await db.unsafe(`select t::text as "row" from ${name} t order by t::text collate "C"`);
    content[name] = rows.map((row) => row.row);
  }
  return content;
}

const partitionsOf = async (db: Database) =>
  (await db`select c.relname as "name" from pg_class c where relispartition and relkind = 'r' order by 1`).map((row) => row.name);

test("all rows come back as they were: odd text, bytes, old partitions, numbering", async () => {
  const file = freshFile();
  const summary = await backUp(sql, file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const target = await emptyDatabase();
  expect(await restore(target.sql, file)).toEqual(summary);
  expect(await contentOf(target.sql)).toEqual(await contentOf(sql));
  expect(await partitionsOf(target.sql)).toEqual(expect.arrayContaining(await partitionsOf(sql)));
  const insert = (db: Database) => db`insert into run_signal (team_id, run_id, kind) values (${team}, new_id(), 'event') returning id`;
  const [next] = await insert(target.sql);
  expect(next?.id).toBe(3);
  await expect(
    target.sql`insert into task_lock (team_id, key, run_id, task_run_id) values (new_id(), 'k', new_id(), new_id())`,
  ).rejects.toThrow(/foreign key/);
});

test("tables of every size are copied to the end, with any state of the buffers, and the connection stays usable", async () => {
  const { sql: db } = await testDatabase();
  for (let round = 0; round < 12; round++) {
    await db`insert into audit (principal_kind, principal_id, action, object_kind, object_name)
      select 'user', 'u', 'a/b', 'c', repeat('x', 300) from generate_series(1, 12)`;
    const { rows } = await backUp(db, freshFile());
    expect(rows).toBeGreaterThanOrEqual(12 * (round + 1));
  }
});

const debian15 = "/usr/lib/postgresql/15/bin";
test.each([
  ["of the same major version", undefined],
  ["of PostgreSQL 15", debian15],
])("data moves into an embedded server %s, and out of it", async (_, binFolder) => {
  if (binFolder && !existsSync(binFolder)) return;
  const server = await EmbeddedServer.start({
    folder: join(folder, `embedded ${files++}`),
    binFolder,
    settings: { fsync: "off" },
    log: createLog("silent"),
  });
  const there = createPool(server.address, { maxConnections: 1 });
  try {
    const [out, back] = [freshFile(), freshFile()];
    await backUp(sql, out);
    await restore(there, out);
    await backUp(there, back);
    const target = await emptyDatabase();
    await restore(target.sql, back);
    expect(await contentOf(target.sql)).toEqual(await contentOf(sql));
  } finally {
    await there.end();
    await server.stop();
  }
});

test("a backup shows one moment, however much is written meanwhile", async () => {
  const source = await emptyDatabase();
  await migrate(source.sql);
  const writer = createPool(source.address, { maxConnections: 1 });
  let isOver = false;
  const writing = (async () => {
    // Always two rows at a time: a backup in between would contain an odd number.
    while (!isOver) {
      await writer`insert into run_signal (team_id, run_id, kind) select new_id(), new_id(), 'event' from generate_series(1, 2)`;
      await writer`insert into run_event (team_id, run_id, topic, status) select new_id(), new_id(), 't', 'succeeded' from generate_series(1, 2)`;
    }
  })();
  const file = freshFile();
  await backUp(source.sql, file);
  isOver = true;
  await writing;
  await writer.end();
  const target = await emptyDatabase();
  await restore(target.sql, file);
  const [counts] = await target.sql`
    select (select count(*)::int from run_signal) as "signals", (select count(*)::int from run_event) as "events"`;
  expect(counts!.signals % 2).toBe(0);
  expect([0, 2]).toContain(counts!.signals - counts!.events);
});

describe("restore refuses, and writes nothing", () => {
  test.each<[string, (db: Database) => Promise<unknown>, RegExp]>([
    ["a database in use", (db) => db`update instance set key_fingerprint = 'x'`, /not empty \(its table instance has rows\)/],
    [
      "a database with rows",
      (db) => db`insert into team (name, display_name) values ('a', 'A')`,
      /not empty \(its table team has rows\).*MILLRACE_DATA_DIR/,
    ],
  ])("%s", async (_, fill, message) => {
    const file = freshFile();
    await backUp(sql, file);
    const target = await emptyDatabase();
    await migrate(target.sql);
    await fill(target.sql);
    const before = await contentOf(target.sql);
    await expect(restore(target.sql, file)).rejects.toThrow(message);
    expect(await contentOf(target.sql)).toEqual(before);
  });

  test("a database of something else", async () => {
    const file = freshFile();
    await backUp(sql, file);
    const target = await emptyDatabase();
    await target.sql`create table customer (id int)`;
    await expect(restore(target.sql, file)).rejects.toThrow(/not empty \(it has the table customer\)/);
  });

  test.each<[string, (content: Buffer) => Buffer, RegExp, isLong?: boolean]>([
    ["a file that ends too soon", (content) => content.subarray(0, content.length - 40), /damaged or incomplete/, true],
    ["a file of which a part is missing", (content) => gzipSync(gunzipSync(content).subarray(0, -200)), /damaged or incomplete/],
    ["a file with a changed byte", (content) => flip(content), /damaged or incomplete|is not a backup/],
    ["something else", () => Buffer.from("hello"), /is not a backup of Millrace/],
    ["something else, compressed", () => gzipSync("hello\n{}"), /is not a backup of Millrace/],
    ["a backup of a newer version", (content) => ofSchema(99, content), /created by a newer Millrace \(schema 99, this one knows up to/],
    [
      "a backup from before the base",
      (content) => ofSchema(34, content),
      /created before the first release \(schema 34, .* starts at 35\); restore it with/,
    ],
  ])("%s", async (_, change, message, isLong = false) => {
    const [good, bad] = [freshFile(), freshFile()];
    await backUp(sql, good);
    writeFileSync(bad, change(readFileSync(good)));
    const target = await emptyDatabase();
    await expect(restore(target.sql, bad)).rejects.toThrow(message);
    const tables = await target.sql`select relname as "name" from pg_class where relname = 'team'`;
    if (tables.length > 0) expect(await target.sql`select name from team`).toEqual([]);
    // So a restore would begin; one of them does, behind the file that got the furthest.
    await refuseData(target.sql);
    if (isLong) await restore(target.sql, good);
  });

  test("a file that is not there", async () => {
    const target = await emptyDatabase();
    await expect(restore(target.sql, join(folder, "nothing"))).rejects.toThrow(/nothing cannot be read \(ENOENT\)/);
  });
});

test("backup refuses to overwrite a file, a folder that is not there, and a database without data", async () => {
  const file = freshFile();
  await backUp(sql, file);
  await expect(backUp(sql, file)).rejects.toThrow(/exists already/);
  await expect(backUp(sql, join(folder, "no/such/folder"))).rejects.toThrow(/cannot be written \(ENOENT\)/);
  const empty = await emptyDatabase();
  await expect(backUp(empty.sql, freshFile())).rejects.toThrow(/no data of Millrace/);
});

test("a backup of schema 35 is brought up to date, with the functions of this program", async () => {
  const source = await emptyDatabase();
  await createSchema35(source.sql);
  await source.sql`insert into place (id, host, path, seen_at) values ('here', 'old', '/old', '2026-01-01')`;
  const file = freshFile();
  await backUp(source.sql, file);
  const target = await emptyDatabase();
  await restore(target.sql, file);
  expect(await target.sql`select host from place`).toEqual([{ host: "old" }]);
  const newest = newestVersion(await readSchema());
  expect(await target.sql`select max(version) as "version" from schema_migration`).toEqual([{ version: newest }]);
  expect(await target.sql`select id_floor(db_now()) < new_id() as "works"`).toEqual([{ works: true }]);
});

function flip(content: Buffer): Buffer {
  const copy = Buffer.from(content);
  const at = Math.floor(copy.length / 2);
  copy[at] = copy[at]! ^ 0xff;
  return copy;
}

function ofSchema(schemaVersion: number, content: Buffer): Buffer {
  const text = gunzipSync(content);
  const end = text.indexOf(10);
  const header = { ...JSON.parse(text.subarray(0, end).toString()), schemaVersion };
  return gzipSync(Buffer.concat([Buffer.from(JSON.stringify(header)), text.subarray(end)]));
}

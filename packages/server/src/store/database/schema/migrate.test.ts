import { expect, test } from "vitest";
import { type InventedSchema, inventedSchema } from "../../../../test/kit/data/invented-schema.ts";
import { emptyDatabase } from "../../../../test/kit/database.ts";
import { until } from "../../../../test/kit/until.ts";
import { createPool, type Database } from "../database.ts";
import { migrate, readSchemaVersion } from "./migrate.ts";
import { newestVersion, readSchema } from "./schema-files.ts";

const migrations = (...list: NonNullable<InventedSchema["migrations"]>) => ({ schema: inventedSchema({ migrations: list }) });
const tablesOf = (sql: Database) =>
  sql`select relname as "name" from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`;

test("a new database gets our own files, each once", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql);
  await migrate(sql);
  expect(await readSchemaVersion(sql)).toBe(newestVersion(await readSchema()));
});

test("several processes that start at once apply each migration and each function once", async () => {
  const { sql, address } = await emptyDatabase();
  const schema = inventedSchema({
    migrations: [
      ["one", "create table counted (version int); insert into counted values (1); select pg_sleep(0.05)"],
      ["two", "insert into counted values (2)"],
    ],
    functions: { three: "-- after the tables\ninsert into counted values (3)" },
  });
  const processes = Array.from({ length: 6 }, () => createPool(address, { maxConnections: 1 }));
  await Promise.all(processes.map((process) => migrate(process, { schema })));
  await Promise.all(processes.map((process) => process.end()));
  expect(await sql`select version from counted order by version`).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
});

test("several processes that start at once on a new database all find our schema", async () => {
  const { sql, address } = await emptyDatabase();
  const processes = Array.from({ length: 3 }, () => createPool(address, { maxConnections: 1 }));
  await Promise.all(processes.map((process) => migrate(process)));
  await Promise.all(processes.map((process) => process.end()));
  expect(await readSchemaVersion(sql)).toBe(newestVersion(await readSchema()));
});

test("a start that fails leaves nothing, and the next one does it all", async () => {
  const { sql } = await emptyDatabase();
  await expect(
    migrate(sql, migrations(["whole", "create table whole (id int)"], ["half", "create table half (id int); select 1 / 0"])),
  ).rejects.toThrow(/division by zero/);
  expect(await tablesOf(sql)).toEqual([]);
  expect(await readSchemaVersion(sql)).toBe(0);
  await migrate(sql, migrations(["whole", "create table whole (id int)"], ["half", "create table half (id int)"]));
  expect(await readSchemaVersion(sql)).toBe(2);
});

test("a start that is killed half-way leaves nothing, and one that waited for it does it all", async () => {
  const { sql, address } = await emptyDatabase();
  const { functions, ...tables } = await readSchema();
  const endless = {
    ...tables,
    functions: [...functions, ...inventedSchema({ functions: { z: "-- after the tables\nselect pg_sleep(600)" } }).functions],
  };
  const [killed, waiting] = [createPool(address, { maxConnections: 1 }), createPool(address, { maxConnections: 1 })];
  const first = migrate(killed, { schema: endless }).catch((error: Error) => error);
  const findSleeper = () => sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
  await until(async () => (await findSleeper()).length === 1, "the first start reaches its last statement");
  expect(await tablesOf(sql)).toEqual([]);
  const second = migrate(waiting);
  await until(
    async () =>
      (
        await sql`select from pg_locks where locktype = 'advisory' and not granted and database = (
    select oid from pg_database where datname = current_database())`
      ).length === 1,
    "the second start waits",
  );
  await sql`select pg_terminate_backend(${(await findSleeper())[0]!.pid})`;
  expect(await first).toBeInstanceOf(Error);
  await second;
  expect(await readSchemaVersion(sql)).toBe(newestVersion(await readSchema()));
  await Promise.all([killed.end(), waiting.end()]);
});

test("an older program starts on a newer schema, unless a newer migration is breaking", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, migrations(["one", "select 1"], ["two", "select 1"]));
  await migrate(sql, migrations(["one", "select 1"]));
  await migrate(sql, migrations(["one", "select 1"], ["two", "select 1"], ["three", "-- breaking\nselect 1"]));
  await expect(migrate(sql, migrations(["one", "select 1"]))).rejects.toThrow(
    /changed by a newer Millrace \(schema 3, three\).*knows up to 1/,
  );
});

test("the months ahead have their partitions", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql);
  const [row] = await sql`
    select count(*)::int as "count" from pg_inherits where inhparent = 'run'::regclass and inhrelid::regclass::text ~ '^run_[0-9]{6}$'`;
  expect(row?.count).toBeGreaterThanOrEqual(3);
});

import { expect, test } from "vitest";
import { emptyDatabase } from "../../../test/kit/database.ts";
import { createPool } from "./database.ts";
import { type Migration, migrate, readMigrations, readSchemaVersion } from "./migrate.ts";

function invented(...files: [name: string, sql: string][]): Migration[] {
  return files.map(([name, sql], index) => ({ version: index + 1, name, sql, isBreaking: sql.startsWith("-- breaking") }));
}

test("the numbers of our own files have no gap, and each is applied once", async () => {
  const { sql } = await emptyDatabase();
  const migrations = await readMigrations();
  await migrate(sql);
  await migrate(sql);
  expect(await readSchemaVersion(sql)).toBe(migrations.length);
});

test("several processes that start at once apply each migration once", async () => {
  const { sql, address } = await emptyDatabase();
  const migrations = invented(
    ["one", "create table counted (version int); insert into counted values (1); select pg_sleep(0.05)"],
    ["two", "insert into counted values (2)"],
  );
  const processes = Array.from({ length: 6 }, () => createPool(address, { maxConnections: 1 }));
  await Promise.all(processes.map((process) => migrate(process, { migrations })));
  await Promise.all(processes.map((process) => process.end()));
  expect(await sql`select version from counted order by version`).toEqual([{ version: 1 }, { version: 2 }]);
});

test("a migration that fails leaves nothing, and the next start tries it again", async () => {
  const { sql } = await emptyDatabase();
  await expect(migrate(sql, { migrations: invented(["half", "create table half (id int); select 1 / 0"]) })).rejects.toThrow(
    /division by zero/,
  );
  expect(await readSchemaVersion(sql)).toBe(0);
  await migrate(sql, { migrations: invented(["half", "create table half (id int)"]) });
  expect(await readSchemaVersion(sql)).toBe(1);
});

test("an older program starts on a newer schema, unless a newer migration is breaking", async () => {
  const { sql } = await emptyDatabase();
  const [first, second, third] = invented(["one", "select 1"], ["two", "select 1"], ["three", "-- breaking\nselect 1"]) as [
    Migration,
    Migration,
    Migration,
  ];
  await migrate(sql, { migrations: [first, second] });
  await migrate(sql, { migrations: [first] });
  await migrate(sql, { migrations: [first, second, third] });
  await expect(migrate(sql, { migrations: [first] })).rejects.toThrow(/changed by a newer Millrace \(schema 3, three\).*knows up to 1/);
});

test("the months ahead have their partitions", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql);
  const [row] = await sql`
    select count(*)::int as "count" from pg_inherits where inhparent = 'run'::regclass and inhrelid::regclass::text ~ '^run_[0-9]{6}$'`;
  expect(row?.count).toBeGreaterThanOrEqual(3);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyDatabase } from "../../../test/kit/database.ts";
import { createSchema35 } from "../../../test/kit/start/schema-35.ts";
import { migrate } from "./schema/migrate.ts";
import { dumpSchema } from "./schema/schema-dump.ts";
import { migrationsFolder, readSchema } from "./schema/schema-files.ts";

const golden = readFileSync(join(migrationsFolder, "schema.sql"), "utf8");

test("a database of the last program before the base is taken over: its rows stay, and it gets the schema that a new one has", async () => {
  const { sql } = await emptyDatabase();
  await createSchema35(sql);
  await sql`insert into place (id, host, path, seen_at) values ('here', 'old', '/old', '2026-01-01')`;
  const recorded = await sql`select version, name, is_breaking, applied_at from schema_migration order by version`;
  await migrate(sql);
  expect(await dumpSchema(sql)).toBe(golden);
  expect(await sql`select host from place`).toEqual([{ host: "old" }]);
  expect(await sql`select version, name, is_breaking, applied_at from schema_migration where version <= 35 order by version`).toEqual(
    recorded,
  );
  await migrate(sql);
  expect(await dumpSchema(sql)).toBe(golden);
});

test("a program from before the base finds all of its migrations on a new database, and one that knows less is refused by them", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql);
  const rows = await sql`select version, is_breaking as "isBreaking" from schema_migration where version <= 35 order by version`;
  expect(rows).toEqual(Array.from({ length: 35 }, (_, index) => ({ version: index + 1, isBreaking: index + 1 === 35 })));
});

test("a database of a program before that one is refused, and nothing in it is touched", async () => {
  const { sql } = await emptyDatabase();
  await createSchema35(sql);
  await sql`delete from schema_migration where version > 31`;
  const before = await dumpSchema(sql);
  await expect(migrate(sql)).rejects.toThrow(
    "The database has schema 31, from before the first release; this Millrace can take over schema 35 and newer. Start the last version with schema 35 on it once, then this one",
  );
  expect(await dumpSchema(sql)).toBe(before);
});

test("a database that records something else as that version is refused", async () => {
  const { sql } = await emptyDatabase();
  await createSchema35(sql);
  await sql`update schema_migration set name = 'other' where version = 35`;
  await expect(migrate(sql)).rejects.toThrow(/records schema 35 as other, which is not a schema of Millrace/);
});

test("no file of the base and no migration makes a function: those are in store/functions", async () => {
  const { base, migrations } = await readSchema();
  for (const sql of [...base.sql, ...migrations.map((migration) => migration.sql)]) {
    expect(sql).not.toMatch(/^\s*create (or replace )?(function|procedure)/im);
  }
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inventedSchema } from "../../../../test/kit/data/invented-schema.ts";
import { emptyDatabase, testDatabase } from "../../../../test/kit/database.ts";
import { repositoryRoot } from "../../../base/file/repository-root.ts";
import type { Database } from "../database.ts";
import { functionRevisionPath, renderFunctionRevision } from "./database-functions.ts";
import { migrate } from "./migrate.ts";
import { readSchema } from "./schema-files.ts";

/** A schema whose function `answer` gives that number. */
const answering = (answer: number, revision: number) =>
  inventedSchema({ functions: { answer: `create or replace function answer() returns int language sql as 'select ${answer}'` }, revision });

async function askFor(sql: Database, name = "answer"): Promise<unknown> {
  const [row] = await sql.unsafe(`select ${name}() as "answer"`);
  return row?.answer;
}

test("a function is replaced when its file has changed, and left alone otherwise", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, { schema: answering(1, 1) });
  await sql`create or replace function answer() returns int language sql as 'select 9'`;
  await migrate(sql, { schema: answering(1, 1) });
  expect(await askFor(sql)).toBe(9);
  await migrate(sql, { schema: answering(2, 2) });
  expect(await askFor(sql)).toBe(2);
});

test("an older program starts on newer functions and leaves them as they are", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, { schema: answering(1, 1) });
  await migrate(sql, { schema: answering(2, 2) });
  await migrate(sql, { schema: answering(1, 1) });
  expect(await askFor(sql)).toBe(2);
});

test("an older program leaves the functions alone also where the newer one only took a file away", async () => {
  const { sql } = await emptyDatabase();
  const kept = "create or replace function kept() returns int language sql as 'select 1'";
  const older = inventedSchema({ functions: { kept, gone: "create or replace function gone() returns int language sql as 'select 1'" } });
  await migrate(sql, { schema: older });
  await migrate(sql, { schema: inventedSchema({ functions: { kept: `drop function if exists gone();\n${kept}` }, revision: 2 }) });
  await migrate(sql, { schema: older });
  await expect(askFor(sql, "gone")).rejects.toThrow(/function gone\(\) does not exist/);
  expect(await sql`select name, revision from function_file`).toEqual([{ name: "kept", revision: 2 }]);
});

test("where older programs could not live with newer functions, a breaking migration beside them refuses the start", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, { schema: answering(1, 1) });
  const [breaking] = inventedSchema({ migrations: [["answers-differ", "-- breaking: answer() counts from 0"]] }).migrations;
  await migrate(sql, { schema: { ...answering(0, 2), migrations: [breaking!] } });
  await expect(migrate(sql, { schema: answering(1, 1) })).rejects.toThrow(
    /newer Millrace \(schema 1, answers-differ\); this one knows up to 0/,
  );
  expect(await askFor(sql)).toBe(0);
});

test("a function whose signature is another one replaces the old one, which its file drops", async () => {
  const { sql } = await emptyDatabase();
  await migrate(sql, { schema: answering(1, 1) });
  const answer = `drop function if exists answer();
    create or replace function answer(plus int default 0) returns bigint language sql as 'select 4::bigint + plus'`;
  await migrate(sql, { schema: inventedSchema({ functions: { answer }, revision: 2 }) });
  expect(await askFor(sql)).toBe(4);
});

test("functions that tables need are there before them, those that need a table after it, and newer ones wait for their table", async () => {
  const { sql } = await emptyDatabase();
  const schema = inventedSchema({
    migrations: [
      ["one", "create table one (id int default one_id())"],
      ["two", "create table two (id int)"],
    ],
    functions: {
      a: "create or replace function one_id() returns int language plpgsql as $$ begin return (select count(*) from two); end $$",
      b: "-- after the tables\ncreate or replace function id_of(of two) returns int language sql return of.id",
    },
  });
  await migrate(sql, { schema, upTo: 1 });
  expect(await sql`select name from function_file`).toEqual([{ name: "a" }]);
  await migrate(sql, { schema });
  expect(await sql`select name from function_file order by name`).toEqual([{ name: "a" }, { name: "b" }]);
});

test("the body of each of our functions is one that PostgreSQL accepts, and can be applied twice", async () => {
  const { sql } = await testDatabase();
  for (const { name, sql: statements } of (await readSchema()).functions) {
    await expect(sql.unsafe(statements), name).resolves.toBeDefined();
  }
});

test("functions that were changed have a new revision (npm run generate)", async () => {
  expect(await renderFunctionRevision()).toBe(readFileSync(join(repositoryRoot, functionRevisionPath), "utf8"));
});

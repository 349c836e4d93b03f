import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { checkMachine } from "../../../src/doctor-command.ts";
import { openStore } from "../../../src/open-store.ts";
import type { Database } from "../../../src/store/database/database.ts";
import { readSchemaVersion } from "../../../src/store/database/schema/migrate.ts";
import { markMoved } from "../../../src/store/embedded/moved-mark.ts";
import { emptyDatabase } from "../../kit/database.ts";
import { expectWholeChain, makeDecidedTeam } from "../../kit/decided-team.ts";
import { run } from "../../kit/start/start-fixture.ts";
import { until } from "../../kit/until.ts";

const folder = mkdtempSync("/tmp/millrace-db-move-test-");
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dataOf = (name: string) => join(folder, name);
const markOf = (name: string) => join(dataOf(name), "postgres/moved.json");
const openData = (name: string) => openStore(readConfig({ MILLRACE_DATA_DIR: dataOf(name) }), createLog("silent"));

function startMove(name: string, args: readonly string[], environment: Record<string, string> = {}) {
  const env = { MILLRACE_DATA_DIR: dataOf(name), INIT_CWD: folder, ...environment };
  return run(repositoryRoot, [process.execPath, "scripts/db.mjs", "move", ...args], env);
}

async function move(name: string, args: readonly string[], environment: Record<string, string> = {}) {
  const command = startMove(name, args, environment);
  const { code } = await command.ended;
  return { code, output: command.lines.join("\n") };
}

/** A stopped instance with a team, and enough records that moving them takes a moment. */
async function makeSource(name: string): Promise<string> {
  const store = await openData(name);
  const team = await makeDecidedTeam(store.sql, "moved", decisions);
  await store.sql`insert into audit (principal_kind, principal_id, action, object_kind, object_name)
    select 'user', 'u', 'a/b', 'c', repeat('x', 300) || i from generate_series(1, 20000) i`;
  await store.close();
  return team;
}
const decisions = 12;

async function teamsAndRecords(sql: Database) {
  const [row] = await sql<{ teams: number; records: number }[]>`
    select (select count(*)::int from team where name = 'moved') as teams, (select count(*)::int from audit) as records`;
  return row;
}
const all = { teams: 1, records: 20_000 };

test("all data moves into an empty database; the old one is no longer started, says why, and can be used again", {
  timeout: 180_000,
}, async () => {
  const team = await makeSource("source");
  const target = await emptyDatabase();
  const moved = await move("source", ["--to", target.url]);
  expect(moved).toMatchObject({ code: 0, output: expect.stringMatching(/^moved \d+ rows of \d+ tables from the embedded database in /) });
  expect(moved.output).toContain(`MILLRACE_ENCRYPTION_KEY_FILE=${dataOf("source")}/encryption-key`);
  expect(await teamsAndRecords(target.sql)).toEqual(all);
  expect(readdirSync(dataOf("source")).filter((file) => file.startsWith("move-copy"))).toEqual([]);

  const environment = { DATABASE_URL: target.url, MILLRACE_ENCRYPTION_KEY_FILE: join(dataOf("source"), "encryption-key") };
  const there = await openStore(readConfig({ MILLRACE_DATA_DIR: dataOf("source"), ...environment }), createLog("silent"));
  expect(await teamsAndRecords(there.sql)).toEqual(all);
  await expectWholeChain(there.sql, team, decisions);
  await there.close();

  const refusal = /^The data in \S+ was moved to .*, database \S+ on \d{4}-\S+: set DATABASE_URL to that database\. To use the old copy/;
  await expect(openData("source")).rejects.toThrow(refusal);
  const checks = await checkMachine({ MILLRACE_DATA_DIR: dataOf("source"), MILLRACE_ROLES: "api", MILLRACE_PORT: "0" });
  expect(checks).toContainEqual({ name: "database", status: "problem", message: expect.stringMatching(refusal) });
  expect(await move("source", ["--to", target.url])).toMatchObject({ code: 1, output: expect.stringContaining("was moved to") });
  rmSync(markOf("source"));
  const back = await openData("source");
  expect(await teamsAndRecords(back.sql)).toEqual(all);
  await back.close();
});

test("a service that was starting during a move does not run on the old data", { timeout: 60_000 }, async () => {
  const opening = openData("overtaken");
  markMoved(join(dataOf("overtaken"), "postgres"), "elsewhere");
  await expect(opening).rejects.toThrow(/was moved to elsewhere/);
  rmSync(markOf("overtaken"));
  await (await openData("overtaken")).close();
});

test("a password is neither in the marker nor in the output, and DATABASE_URL can name the target", { timeout: 180_000 }, async () => {
  await makeSource("quiet");
  const target = await emptyDatabase();
  const url = target.url.replace("@localhost", ":geheim@localhost");
  const moved = await move("quiet", [], { DATABASE_URL: url });
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining("Start Millrace with the same DATABASE_URL") });
  expect(moved.output + readFileSync(markOf("quiet"), "utf8")).not.toContain("geheim");
});

test("a target with data, a source in use or without a database, and unclear arguments are refused; nothing changes", {
  timeout: 180_000,
}, async () => {
  await makeSource("kept");
  const target = await emptyDatabase();
  await target.sql`create table theirs (id int)`;
  const full = await move("kept", ["--to", target.url]);
  expect(full).toMatchObject({
    code: 1,
    output: expect.stringMatching(/not empty \(it has the table theirs\).*set --to to an empty database/),
  });
  expect(await target.sql`select relname from pg_class where relnamespace = current_schema()::regnamespace`).toEqual([
    { relname: "theirs" },
  ]);

  const empty = await emptyDatabase();
  const store = await openData("kept");
  const busy = await move("kept", ["--to", empty.url]);
  expect(busy).toMatchObject({ code: 1, output: expect.stringMatching(/Another Millrace \(process \d+\) is using the database/) });
  await store.close();
  expect(await move("nothing", ["--to", empty.url])).toMatchObject({
    code: 1,
    output: expect.stringContaining("There is no embedded database in"),
  });
  expect(existsSync(dataOf("nothing"))).toBe(false);
  expect(await move("kept", [])).toMatchObject({ code: 1, output: expect.stringContaining("move --to URL") });
  const two = await move("kept", ["--to", empty.url], { DATABASE_URL: target.url });
  expect(two).toMatchObject({ code: 1, output: expect.stringContaining("DATABASE_URL names another one: unset it") });
  expect(await move("kept", ["--to", "mysql://x"])).toMatchObject({
    code: 1,
    output: expect.stringContaining("must look like postgres://"),
  });
  expect(await readSchemaVersion(empty.sql)).toBe(0);
  expect(existsSync(markOf("kept"))).toBe(false);
});

test("killed at any moment, the old place works with all data, or it is marked and the new place has all of it", async () => {
  await makeSource("killed");
  const copies = () => readdirSync(dataOf("killed")).filter((file) => file.startsWith("move-copy"));
  const moments: ((sql: Database) => Promise<boolean>)[] = [
    async () => copies().length > 0,
    async () => copies().some((file) => !file.endsWith(".part")),
    async (sql) => (await readSchemaVersion(sql)) > 0,
    async (sql) => (await sql`select 1 from pg_locks where relation = to_regclass('audit') and mode = 'AccessExclusiveLock'`).length > 0,
    async (sql) => (await readSchemaVersion(sql)) > 0 && (await teamsAndRecords(sql))?.teams === 1,
    async () => existsSync(markOf("killed")),
  ];
  for (const isReached of moments) {
    const target = await emptyDatabase();
    const command = startMove("killed", ["--to", target.url]);
    let isOver = false;
    void command.ended.then(() => (isOver = true));
    // Querying a table that is being filled may cause a deadlock.
    await until(async () => isOver || (await isReached(target.sql).catch(() => false)), "the moment of the kill");
    command.child.kill("SIGKILL");
    await command.ended;
    if (existsSync(markOf("killed"))) {
      expect(await teamsAndRecords(target.sql)).toEqual(all);
      rmSync(markOf("killed"));
    }
    const old = await openData("killed");
    expect(await teamsAndRecords(old.sql)).toEqual(all);
    await old.close();
  }
  const target = await emptyDatabase();
  expect(await move("killed", ["--to", target.url])).toMatchObject({ code: 0 });
  expect(copies()).toEqual([]);
}, 300_000);

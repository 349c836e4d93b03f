import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { buildProgram } from "../../../test/kit/build-program.ts";
import { until } from "../../../test/kit/until.ts";
import { makeJob } from "../exercise/scenario.ts";
import { createProcessExecutor } from "./process-executor.ts";
import { readProcessTable, readStartTicks } from "./process-table.ts";
import type { LevelName } from "./settings.ts";

/**
 * What is left of a service that was killed: nothing if steps have their own process namespace, otherwise something until the next service
 * starts in the same folder.
 */
const silent = { info: () => undefined, warn: () => undefined };
let program: string;
let scratchDir: string;
beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../../test/processes/executor-program.ts", import.meta.url)));
});
afterAll(() => rm(program));
beforeEach(async () => {
  scratchDir = await mkdtemp(join(tmpdir(), "millrace-crash-"));
  await chmod(scratchDir, 0o711);
});
afterEach(() => rm(scratchDir, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  isAvailable: boolean;
}

/** Starts a service with a job that left its session and ignores TERM. */
function startService(level: LevelName, mark: string): Promise<Started> {
  return startProgram(level, [`trap '' TERM; setsid sleep ${mark} & sleep ${mark} & echo ready; wait`]);
}

/** Starts a service with a halted sandbox that waits for its next job. */
function startWithKept(level: LevelName, mark: string): Promise<Started> {
  const script = `export default () => { process.title = "${mark}"; process.on("SIGTERM", () => {}); console.log("ready"); };`;
  return startProgram(level, [script, "function"]);
}

function startProgram(level: LevelName, args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [program, scratchDir, level, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("ready\n")) resolve({ child, isAvailable: true });
      if (text.includes("no way to isolate")) resolve({ child, isAvailable: false });
    });
    child.on("exit", () => reject(new Error(`it ended: ${text}`)));
  });
}

/** The service that starts after the one that was killed, with the same folder. */
function startNext(level: LevelName) {
  const unconfined = { allowUnsandboxed: true, allowSharedNetwork: true };
  return createProcessExecutor({ scratchDir, ...unconfined, graceMs: 100, log: silent, levels: [level] });
}

async function countProcesses(mark: string): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return commands.filter((command) => command.startsWith(`sleep\0${mark}`)).length;
}

/** The process that starts the steps of a service, which may have no other children. */
async function findSpawner(service: ChildProcess): Promise<number | undefined> {
  const table = await readProcessTable();
  return table.find(({ parent, isZombie }) => parent === service.pid && !isZombie)?.pid;
}

/** A zombie counts as ended: only process 1 can reap what a killed service leaves. */
async function isAlive(pid: number): Promise<boolean> {
  return (await readStartTicks(pid)) !== 0;
}

async function waitForCount(mark: string, count: number): Promise<void> {
  for (let round = 0; round < 500 && (await countProcesses(mark)) !== count; round++) await pause(10);
  expect(await countProcesses(mark)).toBe(count);
}

async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners("exit");
  const hasExited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await hasExited;
}

describe.each<LevelName>(["bubblewrap", "bubblewrap-as-root", "unshare", "own-uid", "none"])(
  "a service that is killed, level %s",
  (level) => {
    test("leaves no step running, at the latest when the next one starts", async ({ skip }) => {
      const mark = `1000.${process.pid}${level.length}`;
      const { child, isAvailable } = await startService(level, mark);
      skip(!isAvailable, "this level does not work here");
      await waitForCount(mark, 2);
      const spawner = (await findSpawner(child)) ?? 0;
      expect(await readFile(`/proc/${spawner}/cmdline`, "latin1")).toContain("millrace-spawner");
      await killHard(child);
      await until(async () => !(await isAlive(spawner)), "the process that starts steps has ended", 5_000);
      if (level !== "own-uid" && level !== "none") await waitForCount(mark, 0);

      const next = await startNext(level);
      expect(await countProcesses(mark)).toBe(0);
      expect(await readdir(scratchDir)).toHaveLength(1);
      await next.close();
      expect(await readdir(scratchDir)).toEqual([]);
    });
  },
);

test.each<LevelName>(["bubblewrap", "bubblewrap-as-root", "unshare"])(
  "a service that is killed leaves no sandbox that it kept, level %s",
  async (level) => {
    const mark = `kept.${process.pid}${level.length}`;
    const { child, isAvailable } = await startWithKept(level, mark);
    onTestFinished(() => killHard(child));
    if (!isAvailable) return;
    const states = async () => (await processesNamed(mark)).map(({ state }) => state).join("");
    await until(async () => (await states()) === "T", "the kept sandbox is halted", 5_000);
    await killHard(child);
    await until(async () => (await states()) === "", "the kept sandbox has ended", 5_000);
  },
);

test.each<LevelName>(["bubblewrap", "bubblewrap-as-root", "unshare"])(
  "a service that is killed while volumes are mounted leaves none of their files once the next one starts, level %s",
  async (level) => {
    const script = `
      mkdir -p /cache/closed/inner && : > /cache/closed/inner/file && chmod 0 /cache/closed/inner && chmod 0 /cache/closed
      ln -s / /cache/link; test -s /keys/inner/key && test -s ~/.keys/inner/key && echo ready; sleep 1000`;
    const { child, isAvailable } = await startProgram(level, [script, "volumes"]);
    onTestFinished(() => killHard(child));
    if (!isAvailable) return;
    expect(await filesNamed("key")).toHaveLength(1);
    await killHard(child);
    const next = await startNext(level);
    await next.settle();
    expect(await readdir(scratchDir)).toHaveLength(1);
    expect(await filesNamed("key")).toEqual([]);
    expect(await readFile("/proc/self/mountinfo", "utf8")).not.toContain(scratchDir);
    await next.close();
    expect(await readdir(scratchDir)).toEqual([]);
  },
);

async function filesNamed(name: string): Promise<string[]> {
  // With types, it does not follow links. A folder of a probe may disappear while it is read.
  const read = () => readdir(scratchDir, { recursive: true, withFileTypes: true });
  const entries = await read().catch((error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? read() : Promise.reject(error)));
  return entries.flatMap((entry) => (entry.name === name ? [entry.name] : []));
}

async function processesNamed(title: string): Promise<{ state: string }[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
      const status = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
      const state = /^State:\s+(\S)/m.exec(status)?.[1] ?? "";
      return command.startsWith(title) && state !== "Z" ? [{ state }] : [];
    }),
  );
  return found.flat();
}

describe("an executor whose folder is gone", () => {
  test("reports that in the outcome", async () => {
    const executor = await createProcessExecutor({
      scratchDir,
      allowUnsandboxed: true,
      allowSharedNetwork: true,
      graceMs: 100,
      log: silent,
    });
    await executor.settle();
    await rm(scratchDir, { recursive: true });
    const { status, reason, message } = await executor.start(makeJob("true"), () => undefined).done;
    expect({ status, reason }).toEqual({ status: "failed", reason: "ExecutorError" });
    expect(message).toContain("ENOENT");
    await executor.close();
  });
});

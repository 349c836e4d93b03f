import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { processSettings } from "../../../test/kit/worker/executor-environment.ts";
import { type Bench, makeJob, run } from "../exercise/scenario.ts";
import type { StepEnd } from "../steps/step-end.ts";
import { findInheritedFiles } from "./inherited-files.ts";
import { findTools } from "./isolation/tools.ts";
import { createOutputPipes } from "./output-pipes.ts";
import { createProcessExecutor } from "./process-executor.ts";
import { readProcessTable } from "./process-table.ts";
import type { LevelName } from "./settings.ts";
import { createSpawner } from "./spawner.ts";

/** Steps are started by a small process beside the service, which may end before them. */
const levels: LevelName[] = ["bubblewrap", "bubblewrap-as-root", "unshare", "own-uid", "none"];

async function open(level: LevelName) {
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-spawner-"));
  onTestFinished(() => rm(scratchDir, { recursive: true, force: true }));
  await chmod(scratchDir, 0o711);
  const before = await spawners();
  const executor = await createProcessExecutor(processSettings(scratchDir, level));
  onTestFinished(() => executor.close());
  const findSpawners = async (): Promise<number[]> => (await spawners()).filter((pid) => !before.includes(pid));
  return { executor, findSpawners, play: (script: string) => run({ executor } as unknown as Bench, makeJob(script)) };
}

function nameOf(pid: number): string {
  return readProcess(pid, "cmdline");
}

function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** The spawners among the children of this process. */
async function spawners(): Promise<number[]> {
  const children = (await readProcessTable()).filter(({ parent, isZombie }) => parent === process.pid && !isZombie);
  return children.map(({ pid }) => pid).filter((pid) => nameOf(pid).startsWith("millrace-spawner"));
}

async function isRunning(mark: string): Promise<boolean> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.some((pid) => nameOf(pid).startsWith(`sleep\0${mark}`));
}

describe.each(levels)("the process that starts steps, level %s", (level) => {
  test("when it is killed, loses the running attempt, leaves nothing behind, and is started again for the next one", async ({ skip }) => {
    const { executor, findSpawners, play } = await open(level);
    skip(!executor.describe().available, "this level does not work here");
    const mark = `1001.${process.pid}${level.length}`;
    const running = play(`trap '' TERM; setsid sleep ${mark} & sleep ${mark}; true`);
    await until(() => isRunning(mark), "the step runs", 10_000);
    const [spawner = 0, ...others] = await findSpawners();
    expect(others).toEqual([]);
    process.kill(spawner, "SIGKILL");
    const { outcome } = await running;
    expect(outcome).toMatchObject({ status: "lost", reason: "MachineFault", hasBegun: true });
    await until(async () => !(await isRunning(mark)), "nothing of the step is left", 5_000);
    await until(() => executor.describe().available, "the worker accepts tasks again", 10_000);
    expect((await play("echo fine")).outcome.status).toBe("succeeded");
    expect(await findSpawners()).not.toContain(spawner);
  });

  test("passes on only the descriptors of the output, and none of its variables", async ({ skip }) => {
    const { executor, findSpawners, play } = await open(level);
    skip(!executor.describe().available, "this level does not work here");
    const { texts } = await play("ls -l /proc/self/fd | sed -n 's/.* \\([0-9]*\\) -> /\\1 /p'; env");
    const descriptors = texts().filter((text) => /^\d+ \//.test(text) || /^\d+ \w+:/.test(text));
    // The folder that `ls` reads is its own; descriptors that the service was started with have become /dev/null.
    const foreign = descriptors.filter((text) => !/^[012] |^\d+ (\/dev\/null|\/proc\/\d+\/fd)$/.test(text));
    expect(descriptors.length).toBeGreaterThanOrEqual(4);
    expect(foreign).toEqual([]);
    expect(texts().filter((text) => text.startsWith("NODE_"))).toEqual([]);
    const [spawner = 0] = await findSpawners();
    expect(readProcess(spawner, "environ").replace(/NODE_CHANNEL_[A-Z_]+=\w+\0/g, "")).toMatch(/^PATH=[^\0]*\0$/);
  });
});

test("the spawner ends with its executor, and survives signals to its process group", async () => {
  const { executor, findSpawners, play } = await open("none");
  const [spawner = 0] = await findSpawners();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.kill(spawner, signal);
  expect((await play("echo fine")).outcome.status).toBe("succeeded");
  expect(await findSpawners()).toEqual([spawner]);
  await executor.close();
  await until(async () => (await findSpawners()).length === 0, "it has ended", 5_000);
});

test("a step is a child of the spawner, so the service never forks for it", async () => {
  const { findSpawners, play } = await open("none");
  const { texts } = await play("ps -o ppid= -p $PPID; echo $PPID");
  const [spawner = 0] = await findSpawners();
  expect(texts().map((text) => text.trim())).toContain(String(spawner));
});

test("a spawner that does not respond is replaced", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millrace-spawner-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const spawner = createSpawner(findInheritedFiles(), findTools().setpriv, 1_000);
  onTestFinished(() => spawner.close());
  const pipes = createOutputPipes(folder);
  const launch = async (): Promise<StepEnd> => {
    const pipe = await pipes.open();
    onTestFinished(() => pipe.close());
    const parts = { output: pipe.path, onStarted: pipe.handOver };
    return spawner.launch({ file: "/bin/sh", args: ["-c", "exit 3"] }, parts);
  };
  expect(await launch()).toEqual({ exitCode: 3 });
  process.kill(spawner.pid ?? 0, "SIGSTOP");
  expect(await launch()).toMatchObject({ error: { code: "SPAWNER_ENDED" }, mayHaveBegun: true });
  expect(await launch()).toEqual({ exitCode: 3 });
});

describe("a process at its gate", () => {
  const launch = async (script: string, gateFiles: (folder: string) => string[], isAhead = false) => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-spawner-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const spawner = createSpawner(findInheritedFiles(), findTools().setpriv);
    onTestFinished(() => spawner.close());
    await writeFile(join(folder, "group"), "");
    const pipe = await createOutputPipes(folder).open();
    onTestFinished(() => pipe.close());
    let pid: number | undefined;
    const onStarted = (started: number): void => {
      pid = started;
      pipe.handOver();
    };
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const gate = { gateFiles: gateFiles(folder), isAhead };
    const parts = { output: pipe.path, onStarted, opened };
    let hasEnded = false;
    const ended = spawner.launch({ file: "/bin/sh", args: ["-c", script], ...gate }, parts).finally(() => (hasEnded = true));
    if (isAhead) {
      const [first] = await once(pipe.reader.resume(), "data");
      await until(async () => (await readFile(join(folder, "group"), "utf8")) !== "", "it is in its group", 5_000);
      expect([String(first), hasEnded]).toEqual(["waits\n", false]);
      open();
    }
    const end = await ended;
    return { end, pid, group: await readFile(join(folder, "group"), "utf8") };
  };

  test("starts when it is in its control groups", async () => {
    const script = 'printf \'{ "child-pid": %d,\\n "more": 1\\n}\\n\' $$ >&3; read -r word <&4; [ "$word" = 1 ] && exit 3';
    const { end, pid, group } = await launch(script, (folder) => [join(folder, "group")]);
    expect([end, group]).toEqual([{ exitCode: 3 }, String(pid)]);
  });

  test("made ahead, joins its control groups, and waits for its step", async () => {
    const script = 'printf \'{ "child-pid": %d\\n}\\n\' $$ >&3; echo waits; read -r word <&4; [ "$word" = 1 ] && exit 3';
    const { end, pid, group } = await launch(script, (folder) => [join(folder, "group")], true);
    expect([end, group]).toEqual([{ exitCode: 3 }, String(pid)]);
  });

  test("never starts if one of its control groups refuses it", async () => {
    const script = "sleep 60 & printf '{ \"child-pid\": %d\\n}\\n' $! >&3; wait $!";
    const { end } = await launch(script, (folder) => [join(folder, "group"), join(folder, "not-there")]);
    expect(end).toEqual({ exitCode: 137 });
  });
});

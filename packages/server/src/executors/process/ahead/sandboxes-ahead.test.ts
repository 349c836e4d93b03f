import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { processSettings } from "../../../../test/kit/worker/executor-environment.ts";
import type { Executor } from "../../../engine/executor.ts";
import { type Bench, makeJob, run } from "../../exercise/scenario.ts";
import { openIdentityPool } from "../../folders/identity.ts";
import { MachineWatch } from "../../machine/machine-watch.ts";
import { findControlGroups } from "../control-groups/control-groups.ts";
import { findInheritedFiles } from "../inherited-files.ts";
import { chooseLevel } from "../isolation/choose-level.ts";
import { findTools } from "../isolation/tools.ts";
import { readFreshTable } from "../process-table.ts";
import { runAttempt } from "../run-attempt.ts";
import { openScratchRoot } from "../scratch-root.ts";
import type { LevelName } from "../settings.ts";
import { createSpawner } from "../spawner.ts";
import { type AheadLimits, openSandboxesAhead, SandboxesAhead } from "./sandboxes-ahead.ts";

const levels: LevelName[] = ["bubblewrap", "bubblewrap-as-root"];

/** What one level needs; undefined where it does not work. */
async function openLevel(level: LevelName) {
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-ahead-"));
  await chmod(scratchDir, 0o711);
  const settings = processSettings(scratchDir, level);
  const spawner = createSpawner(findInheritedFiles(), findTools().setpriv);
  const machine = new MachineWatch(settings);
  const scratch = await openScratchRoot(scratchDir, () => undefined);
  const [identities, groups] = await Promise.all([openIdentityPool(undefined), findControlGroups(`ahead-${level}`)]);
  const { runtime } = await chooseLevel({ settings, scratch, groups, identities, machine, spawner });
  const close = async () => {
    spawner.close();
    machine.close();
    await groups?.close();
    await rm(scratchDir, { recursive: true });
    await rm(scratch.pipes, { recursive: true });
  };
  return { level, runtime, spawner, close };
}

const opened = await Promise.all(levels.map(openLevel));
const usable = opened.flatMap(({ level, runtime, spawner }) =>
  runtime?.level.name === level && openSandboxesAhead(runtime) ? [{ level, runtime, spawner }] : [],
);

afterEach(async () => {
  for (const { runtime } of usable) {
    await runtime.ahead?.endAll();
    await runtime.slots.settle();
  }
});
afterAll(() => Promise.all(opened.map(({ close }) => close())));

describe.each(usable)("a sandbox that is made ahead, level $level", ({ level, runtime, spawner }) => {
  const use = (limits: Partial<AheadLimits> = {}) => {
    const ahead = new SandboxesAhead(runtime, { idleMs: 60_000, withinMs: 60_000, most: 2, ...limits });
    runtime.ahead = ahead;
    const executor: Pick<Executor, "start"> = { start: (job, onLines) => runAttempt(runtime, job, onLines) };
    const play = (...parts: Parameters<typeof makeJob>) => run({ executor } as Bench, makeJob(...parts));
    const isReady = () => until(() => ahead.size > 0, "one waits", 10_000);
    /** Two steps that follow each other. */
    const begin = async () => {
      for (let count = 0; count < 2; count++) expect((await play(":")).outcome.status).toBe("succeeded");
      await isReady();
    };
    return { ahead, slots: runtime.slots, play, begin, isReady };
  };
  const atTheGate = () => waitingBelow(spawner.pid);
  /** The first process of the only one, which may only be starting. */
  const firstAtTheGate = async (): Promise<number> => {
    await until(async () => (await atTheGate()).length === 1, "its first process is there", 10_000);
    const [pid = 0] = await atTheGate();
    return pid;
  };

  test("is made for steps that follow each other, and serves one of them", async () => {
    const { ahead, play, begin, isReady } = use();
    await play(":");
    expect(ahead.size).toBe(0);
    await begin();
    const waiting = await firstAtTheGate();
    const steps = [
      { script: 'echo "$1 $WORD"; pwd; printf out > $RESULTS_PATH/a; exit 7', args: ["two words"], env: [{ name: "WORD", value: "é" }] },
    ];
    const { outcome, texts } = await play(steps, { results: [{ name: "a", type: "string" }] });
    expect([outcome.exitCode, outcome.isolation, texts()]).toEqual([7, level, ["two words é", "/task/work"]]);
    await isReady();
    expect(await atTheGate()).not.toContain(waiting);
  });

  test("has nothing of another step in it, and its step has the same processes, files and descriptors as any", async () => {
    const { ahead, play, begin, isReady } = use();
    // Counted by the shell itself: whether a pipeline counts its own processes depends on which of them starts first.
    const look = "ls -A $HOME $TMPDIR $RESULTS_PATH . ; set -- /proc/[0-9]*; echo $#; ls -A $PARAMS_PATH; cd /proc/$$/fd; echo *";
    const fresh = await play(look);
    await begin();
    await play("touch $HOME/a $TMPDIR/b $RESULTS_PATH/c d; sleep 60 &", { params: [{ name: "secret", value: "x" }] });
    await isReady();
    const before = ahead.size;
    const { texts } = await play(look, { teamId: "team-2" });
    expect([before, texts()]).toEqual([1, fresh.texts()]);
  });

  test("starts the first of several steps; the others have their own", async () => {
    const { play, begin } = use();
    await begin();
    const { outcome, texts } = await play(["echo 1 > $HOME/file; echo one", "cat $HOME/file; exit 3"].map((script) => ({ script })));
    expect([outcome.exitCode, texts()]).toEqual([3, ["one", "1"]]);
  });

  test("is in control groups already, which get the limits of the attempt", async ({ skip }) => {
    if (!runtime.groups?.limitsProcesses) return skip("this machine has no control groups for processes");
    const { play, begin } = use();
    await begin();
    const pid = await firstAtTheGate();
    await until(() => readProcess(pid, "cgroup").includes(`millrace-${process.pid}-`), "it is in a group", 5_000);
    const { limits } = makeJob("");
    const fill = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 30 & done; echo all";
    const { outcome, texts } = await play(fill, { limits: { ...limits, processes: 6 } });
    expect([outcome.status, texts().includes("all")]).toEqual(["failed", false]);
    expect((await play(fill)).texts()).toEqual(["all"]);
  });

  test("is not for a command that the kernel may refuse", async () => {
    const { play, begin } = use();
    await begin();
    const { outcome } = await play([{ command: ["true", "x".repeat(3_000_000)] }]);
    expect(outcome).toMatchObject({ status: "invalid", reason: "InvalidTask" });
    const { texts } = await play([{ command: ["printf", "%s", "x".repeat(100_000)] }]);
    expect(texts().join("")).toBe("x".repeat(100_000));
  });

  test("is not for a step that has a network, workspaces or volumes", async () => {
    const { ahead, begin, slots } = use();
    await begin();
    const workspace = { name: "w", source: tmpdir(), mountPath: "/workspace/w", readOnly: false, store: "folder" };
    for (const more of [{ network: "outbound" }, { network: "host" }, { workspaces: [workspace] }, { volumes: [] }])
      expect(ahead.take(makeJob(":", more as never))).toBeUndefined();
    await begin();
    const job = makeJob(":");
    const own = slots.take(job);
    expect(() => ahead.take(job)).toThrow("this attempt is already running here");
    expect(ahead.size).toBe(1);
    await slots.release(own);
  });

  test("ends when it was idle, and as many wait as are allowed", async () => {
    const { ahead, begin } = use({ idleMs: 2_000 });
    await begin();
    await until(() => ahead.size === 0, "its time is over", 10_000);
    await until(async () => (await atTheGate()).length === 0, "its processes have ended", 10_000);
    const other = use();
    await other.begin();
    for (let count = 0; count < 5; count++) other.ahead.makeNext();
    await until(() => other.ahead.size === 2, "two wait", 10_000);
    await other.ahead.endAll();
    expect([other.ahead.size, await atTheGate()]).toEqual([0, []]);
  });

  test("is not used when it has ended, and leaves nothing when the spawner is killed", async () => {
    const { ahead, play, begin, isReady } = use();
    await begin();
    const pid = await firstAtTheGate();
    process.kill(pid, "SIGKILL");
    await until(() => ahead.size === 0, "its end is noticed", 10_000);
    expect((await play("echo fine")).texts()).toEqual(["fine"]);
    await isReady();
    process.kill(spawner.pid ?? 0, "SIGKILL");
    await until(() => ahead.size === 0, "its end is noticed", 10_000);
    await until(async () => (await atTheGate()).length === 0, "its processes have ended", 10_000);
    expect((await play("echo fine")).texts()).toEqual(["fine"]);
  });

  test("ends with an attempt that is stopped before its step", async () => {
    const { ahead, play, begin } = use();
    await begin();
    const { outcome } = await play(":", { timeoutMs: 0 });
    expect(outcome.status).toBe("timedout");
    await ahead.endAll();
    expect(await atTheGate()).toEqual([]);
  });
});

/** The first processes of sandboxes that have not started the launcher yet. */
async function waitingBelow(top: number | undefined): Promise<number[]> {
  const table = await readFreshTable();
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid: number | undefined): boolean => pid !== undefined && (pid === top || isBelow(parents.get(pid)));
  return table.filter(({ pid, parent }) => readName(pid) === "bwrap" && readName(parent) === "bwrap" && isBelow(pid)).map(({ pid }) => pid);
}

function readName(pid: number): string {
  return readProcess(pid, "comm").trim();
}

function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

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
import { findInheritedFiles } from "../inherited-files.ts";
import { chooseLevel } from "../isolation/choose-level.ts";
import { findTools } from "../isolation/tools.ts";
import { readFreshTable } from "../process-table.ts";
import { runAttempt } from "../run-attempt.ts";
import { openScratchRoot } from "../scratch-root.ts";
import { createSpawner } from "../spawner.ts";
import { type AheadLimits, openSandboxesAhead, SandboxesAhead } from "./sandboxes-ahead.ts";

const scratchDir = await mkdtemp(join(tmpdir(), "millrace-ahead-"));
await chmod(scratchDir, 0o711);
const settings = processSettings(scratchDir, "bubblewrap");
const spawner = createSpawner(findInheritedFiles(), findTools().setpriv);
const machine = new MachineWatch(settings);
const scratch = await openScratchRoot(scratchDir, () => undefined);
const identities = await openIdentityPool(undefined);
const { runtime } = await chooseLevel({ settings, scratch, groups: undefined, identities, machine, spawner });
if (runtime === undefined) machine.close();

afterEach(async () => {
  await runtime?.ahead?.endAll();
  await runtime?.slots.settle();
});
afterAll(async () => {
  spawner.close();
  machine.close();
  await rm(scratchDir, { recursive: true });
  await rm(scratch.pipes, { recursive: true });
});

describe.runIf(runtime && openSandboxesAhead(runtime))("a sandbox that is made ahead", () => {
  const use = (limits: Partial<AheadLimits> = {}) => {
    if (runtime === undefined) throw new Error("there is no such level here");
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

  test("is made for steps that follow each other, and serves one of them", async () => {
    const { ahead, play, begin, isReady } = use();
    await play(":");
    expect(ahead.size).toBe(0);
    await begin();
    const waiting = await atTheGate();
    expect(waiting).toHaveLength(1);
    const steps = [
      { script: 'echo "$1 $WORD"; pwd; printf out > $RESULTS_PATH/a; exit 7', args: ["two words"], env: [{ name: "WORD", value: "é" }] },
    ];
    const { outcome, texts } = await play(steps, { results: [{ name: "a", type: "string" }] });
    expect([outcome.exitCode, outcome.isolation, texts()]).toEqual([7, "bubblewrap", ["two words é", "/task/work"]]);
    await isReady();
    expect(await atTheGate()).not.toContain(waiting[0]);
  });

  test("has nothing of another step in it, and its step has the same processes and files as any", async () => {
    const { ahead, play, begin, isReady } = use();
    // Counted by the shell itself: whether a pipeline counts its own processes depends on which of them starts first.
    const look = "ls -A $HOME $TMPDIR $RESULTS_PATH . ; set -- /proc/[0-9]*; echo $#; ls -A $PARAMS_PATH";
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
    const workspace = { name: "w", source: scratchDir, mountPath: "/workspace/w", readOnly: false, store: "folder" };
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
    const [pid = 0] = await atTheGate();
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
async function atTheGate(): Promise<number[]> {
  const table = await readFreshTable();
  const isBubblewrap = ({ pid }: { pid: number }): boolean => readName(pid) === "bwrap";
  const own = table.filter(isBubblewrap).filter(({ parent }) => parent === spawner.pid);
  return table.filter(isBubblewrap).flatMap(({ pid, parent }) => (own.some((outer) => outer.pid === parent) ? pid : []));
}

function readName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { openSmallDisk, type SmallDisk } from "../../../test/fakes/small-disk.ts";
import { until } from "../../../test/kit/until.ts";
import { processSettings } from "../../../test/kit/worker/executor-environment.ts";
import type { Job } from "../../engine/executor.ts";
import { type Bench, makeJob, run } from "../exercise/scenario.ts";
import { createProcessExecutor } from "./process-executor.ts";
import type { LevelName } from "./settings.ts";

/** A worker whose disk is full or read-only runs nothing, fails nothing, and recovers by itself. */
const levels: LevelName[] = ["bubblewrap-as-root", "own-uid"];

async function openBench({ skip }: TestContext, level: LevelName) {
  const disk = await openSmallDisk();
  if ("why" in disk) return skip(disk.why);
  const workspacesDir = join(disk.folder, "workspaces");
  await mkdir(workspacesDir, { mode: 0o711 });
  const executor = await createProcessExecutor({ ...processSettings(join(disk.folder, "scratch"), level), workspacesDir });
  onTestFinished(() => executor.close());
  if (!executor.describe().available) return skip(executor.describe().detail);
  return { executor, disk, workspacesDir, play: (job: Job) => run({ executor } as unknown as Bench, job) };
}

const faults: {
  name: string;
  make(disk: SmallDisk): Promise<void>;
  repair(disk: SmallDisk): Promise<void>;
  words: string;
  detail: RegExp;
}[] = [
  {
    name: "full",
    make: (disk) => disk.fill(),
    repair: (disk) => disk.clear(),
    words: "the disk of the worker is full",
    detail: /the disk of \S+ is full: 0 MiB free, needs 1\.2 MiB/,
  },
  {
    name: "full of files",
    make: (disk) => disk.fillNames(),
    repair: (disk) => disk.clear(),
    words: "the disk of the worker is full",
    detail: /the disk of \S+ is out of inodes: \d+ files can be created, needs 200/,
  },
  {
    name: "read-only",
    make: (disk) => disk.setReadOnly(true),
    repair: (disk) => disk.setReadOnly(false),
    words: "the disk of the worker is read-only",
    detail: /the disk of \S+ is read-only/,
  },
];

for (const { name, make, repair, words, detail } of faults) {
  test.for(levels)(`a disk that is ${name} loses the attempt and takes no more, until it is well (%s)`, async (level, context) => {
    const { executor, disk, play } = await openBench(context, level);
    expect((await play(makeJob("echo fine"))).outcome.status).toBe("succeeded");
    await executor.settle();
    await make(disk);
    const { outcome } = await play(makeJob("echo fine"));
    expect(outcome).toMatchObject({ status: "lost", reason: "MachineFault", hasBegun: false });
    expect(outcome.message).toContain(words);
    expect(outcome.message, "where its folders are is for the operator only").not.toContain(disk.folder);
    expect(executor.describe()).toMatchObject({ available: false, fault: words });
    await until(() => detail.test(executor.describe().detail), "it says what is missing", 5_000);
    await repair(disk);
    await until(() => executor.describe().available, "it is available again", 5_000);
    expect(executor.describe().fault).toBeUndefined();
    expect((await play(makeJob("echo fine"))).outcome.status).toBe("succeeded");
  });
}

test("a disk that fills up while nothing runs is noticed before the next claim", async (context) => {
  const { executor, disk } = await openBench(context, "none");
  await disk.fill();
  await until(() => !executor.describe().available, "it is not available", 5_000);
});

test("a step that fills the disk fails, and the message names what it filled", async (context) => {
  const { executor, play } = await openBench(context, "own-uid");
  const { outcome } = await play(makeJob("head -c 100000000 /dev/zero > big"));
  expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
  expect(outcome.message).toContain("its scratch folder filled it");
  await executor.settle();
  await until(() => executor.describe().available, "the disk is empty again", 5_000);
});

test("a step that fills its workspace up to the limit fails with WorkspaceFull", async (context) => {
  const { play, workspacesDir } = await openBench(context, "own-uid");
  const workspace = { scope: "workflow", ownerId: "w", mountPath: "/workspace/out", readOnly: false } as const;
  const source = join(workspacesDir, "out");
  const { outcome } = await play(
    makeJob("head -c 3000000 /dev/zero > $(workspaces.out.path)/big".replace("$(workspaces.out.path)", source), {
      workspaces: [{ ...workspace, name: "out", source, sizeLimitBytes: 1_000_000 }],
    }),
  );
  expect(outcome).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
  expect(outcome.message).toContain('workspace "out" contains');
});

test("a step that fails on a disk that others have filled is lost", async (context) => {
  const { disk, play, executor } = await openBench(context, "own-uid");
  const finished = play(makeJob("until ! echo more >> log 2>/dev/null; do :; done; sleep 0.3; exit 1", { timeoutMs: 20_000 }));
  await disk.fill();
  const { outcome } = await finished;
  expect(outcome).toMatchObject({ status: "lost", reason: "MachineFault", hasBegun: true });
  expect(executor.describe()).toMatchObject({ available: false });
});

test("a step that imitates a message of the sandbox is believed only if the machine confirms it", async (context) => {
  const { executor, play } = await openBench(context, "none");
  const { outcome } = await play(makeJob("echo 'bwrap: Creating new namespace failed: No space left on device' >&2; exit 1"));
  expect(outcome).toMatchObject({ status: "failed", reason: "ExecutorError" });
  expect(executor.describe().available).toBe(true);
});

import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { processSettings } from "../../../test/kit/worker/executor-environment.ts";
import { type Bench, makeJob, run } from "../exercise/scenario.ts";
import { createProcessExecutor } from "./process-executor.ts";

/** Each is a wait for another thread to wake, twice, which takes longer than the work itself. */
test("a script without workspaces does not wait for the thread pool", async () => {
  // Other test files of this process may still have requests.
  const own = new AsyncLocalStorage<boolean>();
  own.enterWith(true);
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-pool-"));
  onTestFinished(() => rm(scratchDir, { recursive: true }));
  await chmod(scratchDir, 0o711);
  const settings = { ...processSettings(scratchDir, "none"), levels: ["bubblewrap", "none"] as const, lookEveryMs: 600_000 };
  const executor = await createProcessExecutor(settings);
  onTestFinished(() => executor.close());
  const play = () => run({ executor } as unknown as Bench, makeJob("echo fine"));
  // The first one loads what it needs.
  for (let count = 0; count < 3; count++) await play();
  const { isolation } = executor.describe();
  await executor.settle();
  const trips: string[] = [];
  const hook = createHook({ init: (_, type) => own.getStore() && type.startsWith("FSREQ") && trips.push(type) }).enable();
  // One that takes longer has its folders measured meanwhile, by the thread pool.
  const beforeFirstLookMs = 150;
  let played: Awaited<ReturnType<typeof play>>;
  let startedAt: number;
  do {
    trips.length = 0;
    startedAt = performance.now();
    played = await play();
  } while (performance.now() - startedAt >= beforeFirstLookMs);
  hook.disable();
  const { outcome, texts } = played;
  expect([outcome.status, texts()]).toEqual(["succeeded", ["fine"]]);
  // Without a sandbox, what a step may have left is looked for in the table of processes, and its folder is removed.
  if (isolation === "bubblewrap") expect(trips).toEqual([]);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeJob } from "../exercise/scenario.ts";
import { createProcessExecutor } from "./process-executor.ts";
import type { LevelName, ProcessExecutorSettings } from "./settings.ts";

/** When a level may be used although it does not isolate steps from the service. */
const log = { info: () => undefined, warn: () => undefined };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-one-person-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Allowed = Pick<ProcessExecutorSettings, "allowUnsandboxed" | "allowSharedNetwork">;

async function withExecutor<T>(
  levels: LevelName[],
  allowed: Allowed,
  act: (executor: Awaited<ReturnType<typeof createProcessExecutor>>) => Promise<T>,
): Promise<T> {
  const executor = await createProcessExecutor({ scratchDir: folder, graceMs: 100, log, levels, ...allowed });
  try {
    return await act(executor);
  } finally {
    await executor.close();
  }
}

const levels: LevelName[] = ["bubblewrap-shared-network", "none"];

test.each(levels)("%s runs nothing unless the network of the machine is allowed, and says which setting allows it", async (level) => {
  await withExecutor([level], { allowUnsandboxed: true, allowSharedNetwork: false }, async (executor) => {
    expect(executor.describe()).toMatchObject({ available: false, detail: expect.stringContaining("MILLRACE_ALLOW_HOST_NETWORK=true") });
    const outcome = await executor.start(makeJob("true"), () => undefined).done;
    expect(outcome).toMatchObject({ status: "failed", reason: "SandboxUnavailable" });
    expect(executor.onePersonNotice()).toBeUndefined();
  });
});

test("what is allowed for a single person is reported, and ends for good when a second person joins", async () => {
  await withExecutor(["none"], { allowUnsandboxed: "one-person", allowSharedNetwork: "one-person" }, async (executor) => {
    expect(executor.onePersonNotice()).toMatch(/^scripts run without a sandbox.* Once you invite someone, you need a sandbox/);
    expect((await executor.start(makeJob("true"), () => undefined).done).status).toBe("succeeded");
    executor.forbidUnsandboxed();
    expect(executor.onePersonNotice()).toBeUndefined();
    expect((await executor.start(makeJob("true"), () => undefined).done).reason).toBe("SandboxUnavailable");
  });
});

test("each of the two settings ends by itself", async () => {
  await withExecutor(["none"], { allowUnsandboxed: true, allowSharedNetwork: "one-person" }, async (executor) => {
    executor.forbidUnsandboxed();
    expect(executor.describe().available).toBe(false);
  });
  await withExecutor(["none"], { allowUnsandboxed: true, allowSharedNetwork: true }, async (executor) => {
    expect(executor.onePersonNotice()).toBeUndefined();
    executor.forbidUnsandboxed();
    expect(executor.describe().available).toBe(true);
  });
});

import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeJob } from "../exercise/scenario.ts";
import { createProcessExecutor } from "./process-executor.ts";
import type { LevelName, ProcessExecutorSettings } from "./settings.ts";

/** The location of the service's data must not matter: not below a folder that steps see, and not where everyone may pass. */
const isRoot = process.getuid?.() === 0;

async function folderIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, "millrace private-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
}

async function open(level: LevelName, more: Partial<ProcessExecutorSettings> & { scratchDir: string }) {
  const log = { info: () => undefined, warn: () => undefined };
  const executor = await createProcessExecutor({
    allowUnsandboxed: false,
    allowSharedNetwork: true,
    graceMs: 300,
    log,
    levels: [level],
    ...more,
  });
  onTestFinished(() => executor.close());
  return executor;
}

/** The output of the script. */
async function printed(executor: Awaited<ReturnType<typeof open>>, script: string): Promise<string> {
  const pieces: string[] = [];
  const outcome = await executor.start(makeJob(script), (block) => void pieces.push(block.text.toString())).done;
  expect(outcome.message).toBe("");
  return pieces.join("\n");
}

describe.skipIf(!isRoot).each(["/opt", "/usr/local/share"])("data, keys and checkout of a service in %s", (parent) => {
  test.each<LevelName>(["bubblewrap", "bubblewrap-as-root", "unshare"])("can't be opened by a step at the level %s", async (level) => {
    const folder = await folderIn(parent);
    const [dataDir, installDir, keyFile, other] = ["data", "app", "key", "other"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const path of [dataDir, installDir, other]) await mkdir(path);
    for (const path of [join(dataDir, "admin-token"), join(installDir, "settings"), keyFile, join(other, "shown")])
      await writeFile(path, "content", { mode: 0o644 });
    const executor = await open(level, {
      scratchDir: join(dataDir, "scratch"),
      privatePaths: [dataDir, join(dataDir, "admin-token"), keyFile],
      installDir,
    });
    const { available, detail } = executor.describe();
    if (!available) return expect(detail).toMatch(/ENOENT|Permission denied|could not be started/);
    const text = await printed(
      executor,
      `set +e; ls -A '${dataDir}' '${installDir}' | grep -v '^/' | grep .; cat '${keyFile}' '${dataDir}/admin-token' '${installDir}/settings' '${other}/shown' 2>/dev/null; true`,
    );
    expect(text.trim()).toBe("content");
  });
});

describe.skipIf(!isRoot)("a level that lets a step open what is the service's own", () => {
  test("is not used, and the start names what a step could open", async () => {
    const folder = await folderIn(tmpdir());
    const token = join(folder, "admin-token");
    await writeFile(token, "token", { mode: 0o644 });
    const executor = await open("own-uid", { scratchDir: join(folder, "scratch"), privatePaths: [token] });
    expect(executor.describe()).toMatchObject({ available: false });
    expect(executor.describe().detail).toContain(`own-uid: a step could open ${token}`);
    await chmod(token, 0o600);
    expect((await open("own-uid", { scratchDir: join(folder, "scratch-2"), privatePaths: [token] })).describe().available).toBe(true);
  });
});

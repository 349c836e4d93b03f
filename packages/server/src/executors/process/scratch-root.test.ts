import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeTree } from "../../base/file/remove-tree.ts";
import { openScratchRoot } from "./scratch-root.ts";

test("leftovers of a dead process are removed at the start, and those that can't be removed don't prevent it", async ({
  onTestFinished,
}) => {
  const scratchDir = await mkdtemp(join(tmpdir(), "millrace-scratch-root-"));
  onTestFinished(() => removeTree(scratchDir));
  const [deep, stuck] = [join(scratchDir, "1-1-00000000"), join(scratchDir, "1-1-11111111")];
  await mkdir(deep);
  execFileSync(
    process.execPath,
    ["-e", 'for (let i = 0; i < 60; i++) { fs.mkdirSync("d".repeat(100)); process.chdir("d".repeat(100)); }'],
    {
      cwd: deep,
    },
  );
  await mkdir(join(stuck, "mount"), { recursive: true });
  const isMounted = process.geteuid?.() === 0 && tryMount(join(stuck, "mount"));
  const problems: unknown[] = [];
  try {
    const { folder } = await openScratchRoot(scratchDir, (error) => problems.push(error));
    expect(existsSync(folder)).toBe(true);
    expect(existsSync(deep)).toBe(false);
    if (isMounted) expect(String(problems)).toContain("1 entry could not be removed: mount");
    else expect(problems).toEqual([]);
  } finally {
    if (isMounted) execFileSync("umount", [join(stuck, "mount")]);
  }
});

test.skipIf(process.geteuid?.() !== 0)(
  "processes that users of its attempts still run are ended, also without a known origin",
  async ({ onTestFinished }) => {
    const scratchDir = await mkdtemp(join(tmpdir(), "millrace-scratch-root-"));
    onTestFinished(() => removeTree(scratchDir));
    const [ofSteps, ofPeople] = [45_000 + (process.pid % 10_000), 30_000 + (process.pid % 5_000)];
    const [survivor, outsider] = [ofSteps, ofPeople].map((id) =>
      spawn("sleep", ["1000"], { uid: id, gid: id, env: {}, detached: true, stdio: "ignore", cwd: "/" }),
    ) as [ChildProcess, ChildProcess];
    onTestFinished(() => void [survivor, outsider].map((child) => child.kill("SIGKILL")));
    for (const id of [ofSteps, ofPeople]) {
      const attempt = join(scratchDir, "1-1-22222222", "attempts", String(id));
      await mkdir(attempt, { recursive: true });
      await chown(attempt, 0, id);
    }
    const ended = once(survivor, "exit");
    await openScratchRoot(scratchDir, () => undefined);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(outsider.exitCode ?? outsider.signalCode).toBeNull();
  },
);

function tryMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "none", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

import { spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isReachableByAnyone } from "./scratch-root.ts";

/** The suite as a user without rights, for when the suite itself runs as root: that is another sandbox than root's. */
const repository = fileURLToPath(new URL("../../../../..", import.meta.url));
const nobody = 65_534;
const canTry = process.getuid?.() === 0 && (await isReachableByAnyone(repository));

describe.skipIf(!canTry)("a service that is not root", () => {
  // Each test of that suite has a limit of its own: this one is only there for a suite that hangs as a whole.
  test("runs steps by the same rules", { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-unprivileged-"));
    await Promise.all([chown(folder, nobody, nobody), chmod(folder, 0o755)]);
    const config = {
      root: repository,
      cacheDir: join(folder, "cache"),
      test: {
        include: ["packages/server/src/executors/process/process-executor.test.ts"],
        pool: "forks",
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    };
    await writeFile(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)};\n`);
    const { code, output } = await runSuite(folder);
    await rm(folder, { recursive: true, force: true });
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toContain("as a user without rights");
  });
});

function runSuite(folder: string): Promise<{ code: number | null; output: string }> {
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, "run", "--config", join(folder, "vitest.config.mjs"), "--reporter=verbose"], {
      cwd: repository,
      uid: nobody,
      gid: nobody,
      env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder, NO_COLOR: "1", MILLRACE_TEST_ONLY_LEVELS: "bubblewrap,unshare,none" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", reject).on("close", (code) => resolve({ code, output }));
  });
}

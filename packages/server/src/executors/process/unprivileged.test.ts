import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository, runNestedSuite } from "../exercise/nested-suite.ts";
import { isReachableByAnyone } from "./scratch-root.ts";

/** The suite as a user without rights, for when the suite itself runs as root: that is another sandbox than root's. */
const nobody = 65_534;
const canTry = process.getuid?.() === 0 && (await isReachableByAnyone(repository));

describe.skipIf(!canTry)("a service that is not root", () => {
  // Each test of that suite has a limit of its own: this one is only there for a suite that hangs as a whole.
  test("runs steps by the same rules", { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-unprivileged-"));
    await Promise.all([chown(folder, nobody, nobody), chmod(folder, 0o755)]);
    const { code, output } = await runNestedSuite({
      file: "packages/server/src/executors/process/process-executor.test.ts",
      folder,
      user: { uid: nobody, gid: nobody },
      env: { MILLRACE_TEST_ONLY_LEVELS: process.env["MILLRACE_TEST_ONLY_LEVELS"] ?? "bubblewrap,unshare,none" },
    });
    await rm(folder, { recursive: true, force: true });
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toContain("as a user without rights");
  });
});

import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository, runNestedSuite } from "../exercise/nested-suite.ts";
import { isReachableByAnyone } from "./scratch-root.ts";

/** Runs the suite as a user without rights, if the suite itself runs as root: that is a different sandbox from root's. */
const nobody = 65_534;
/** Files that deliberately test few levels have a counterpart that tests all of them with this user. */
const triesAll = process.env["MILLRACE_TEST_ONLY_LEVELS"] === undefined;
const canTry = triesAll && process.getuid?.() === 0 && (await isReachableByAnyone(repository));

async function runAsNobody(file: string, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "millrace-unprivileged-"));
  await Promise.all([chown(folder, nobody, nobody), chmod(folder, 0o755)]);
  const path = `packages/server/src/executors/process/${file}`;
  const ended = await runNestedSuite({ file: path, folder, user: { uid: nobody, gid: nobody }, env });
  await rm(folder, { recursive: true, force: true });
  return ended;
}

describe.skipIf(!canTry)("a service that is not root", () => {
  // Each test of that suite has its own limit: this one is only for a suite that hangs as a whole.
  test("runs steps by the same rules", { timeout: 900_000 }, async () => {
    const { code, output } = await runAsNobody("sandbox-levels.long.test.ts", {
      MILLRACE_TEST_ONLY_LEVELS: "bubblewrap,unshare,none",
      MILLRACE_TEST_FURTHER: "true",
    });
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toContain("as a user without rights");
  });

  test("keeps sandboxes by the same rules, also where no control group counts", { timeout: 300_000 }, async () => {
    const { code, output } = await runAsNobody("kept/kept-sandbox.long.test.ts");
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toMatch(/✓.* serves one job after the other/);
  });
});

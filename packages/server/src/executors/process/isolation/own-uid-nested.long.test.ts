import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNestedSuite } from "../../exercise/nested-suite.ts";

/** Runs the tests of the level again in a service that may change its user, but may not mount. */
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("own-uid of a service that may not mount", () => {
  it("isolates by file modes, and empties shared folders", { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "millrace-no-mounts-"));
    await chmod(folder, 0o711);
    const { code, output } = await runNestedSuite({
      file: "packages/server/src/executors/process/isolation/own-uid.test.ts",
      folder,
      through: ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-all", "--"],
      env: { TMPDIR: tmpdir() },
    });
    await rm(folder, { recursive: true });
    expect(code, output.slice(-6_000)).toBe(0);
    expect(output).toContain(
      "/tmp, /var/tmp, /dev/shm are shared, and emptied after each attempt; the processes of the machine are visible",
    );
  });
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";

/** The check `shell` on a machine without shellcheck. */
function checkWithout(env: Record<string, string>) {
  const { status, stdout } = spawnSync(process.execPath, [join(repositoryRoot, "scripts/check/shell.mjs")], {
    env: { PATH: "/no/such", ...env },
    encoding: "utf8",
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("without shellcheck its step is skipped, and says in one line how to install it", () => {
  expect(checkWithout({})).toEqual({ status: 0, lines: [expect.stringMatching(/^SKIPPED: .*apt-get install shellcheck/)] });
});

test("in CI a missing shellcheck fails", () => {
  expect(checkWithout({ CI: "true" })).toEqual({ status: 1, lines: [expect.stringMatching(/^not run: .*apt-get install shellcheck/)] });
});

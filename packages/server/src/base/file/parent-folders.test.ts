import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeParentFolders } from "./parent-folders.ts";

test.each([
  ["lets the users of steps pass when the service is root", true, 0o711],
  ["is closed to other users where steps have the user of the service", false, 0o700],
])("a folder that steps have something below %s", async (_, isRoot, mode) => {
  const top = await mkdtemp(join(tmpdir(), "millrace-parents-"));
  await chmod(top, 0o755);
  await makeParentFolders(join(top, "team", "run"), isRoot);
  await makeParentFolders(top, isRoot);
  const modes = await Promise.all([top, join(top, "team"), join(top, "team/run")].map(async (path) => (await stat(path)).mode & 0o777));
  await rm(top, { recursive: true });
  expect(modes, "what was there keeps its mode").toEqual([0o755, mode, mode]);
});

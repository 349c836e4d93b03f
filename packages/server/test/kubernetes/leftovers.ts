import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeNodeGroups } from "./node-groups.ts";

/** Followed by the process ID of the test run, which is the only part that is checked. */
export const leftoverPrefix = "millrace-cluster-";

/** Removes what killed test runs left: their processes, mounts and networks ended with them, but folders and control groups remained. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(leftoverPrefix)) continue;
    const pid = name.slice(leftoverPrefix.length).split("-")[0];
    if (existsSync(`/proc/${pid}`)) continue;
    await removeNodeGroups(name);
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

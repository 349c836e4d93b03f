import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The control groups below which the cluster's node creates those of its pods: one in each hierarchy (version 1), or one (version 2). They
 * are created in advance because a kubelet only checks that its root exists.
 */
async function findHierarchies(): Promise<{ path: string; version: 1 | 2 }[]> {
  const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" "));
  return mounts
    .filter(([, , type]) => type === "cgroup" || type === "cgroup2")
    .map(([, path, type]) => ({ path: path!, version: type === "cgroup" ? 1 : 2 }));
}

/** @throws {Error} if this user may not create any, for example in a container */
export async function makeNodeGroups(name: string): Promise<void> {
  const hierarchies = await findHierarchies();
  const isMixed = hierarchies.some(({ version }) => version === 1);
  for (const { path, version } of hierarchies) {
    // Where both versions are mounted, version 2 has nothing that a kubelet uses.
    if (isMixed && version === 2) continue;
    if (version === 2) await delegateControllers(path);
    await mkdir(join(path, name));
    if (version === 2) await delegateControllers(join(path, name));
    // A new cpuset group is empty, and no process can enter it until it is filled.
    for (const file of ["cpuset.cpus", "cpuset.mems"])
      if (version === 1 && existsSync(join(path, file))) await writeFile(join(path, name, file), await readFile(join(path, file)));
  }
}

async function delegateControllers(group: string): Promise<void> {
  const names = (await readFile(join(group, "cgroup.controllers"), "utf8")).trim().split(/\s+/);
  await writeFile(join(group, "cgroup.subtree_control"), names.map((name) => `+${name}`).join(" "));
}

/** Safe to call twice. All processes in them must have ended. */
export async function removeNodeGroups(name: string): Promise<void> {
  for (const { path } of await findHierarchies()) await removeGroup(join(path, name));
}

async function removeGroup(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeGroup(join(folder, entry.name));
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

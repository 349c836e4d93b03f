import { rmdirSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { type AttemptGroup, type GroupLimits, openGroup, removeGroupFolder } from "./attempt-group.ts";
import type { ControlGroupLayout } from "./control-group-layout.ts";
import type { ControlGroupTree } from "./control-group-tree.ts";
import { type MakeFolder, makeKernelFolder, openTrees } from "./control-group-trees.ts";
import { readKernelValue } from "./kernel-file.ts";
import { ProcessorShares } from "./processor-shares.ts";

/**
 * Limits of memory and processes by control groups: one group a service, below it one an attempt. What can't be had is left out and
 * said so; a machine where nothing can be had limits by rlimits instead.
 *
 * Groups of attempts are used again: making one costs time, and the kernel keeps a removed group as long as a page of a file it
 * read is cached.
 */
export interface ControlGroups {
  /** For people: `cgroup v2`, `cgroup v1`. */
  readonly kind: string;
  readonly limitsMemory: boolean;
  readonly limitsProcesses: boolean;
  /** Teams have the same processor time, however many attempts each of them runs. */
  readonly sharesProcessors: boolean;
  take(limits: GroupLimits, teamId: string): AttemptGroup;
  close(): Promise<void>;
}

/** @param make a folder; with it the kernel makes the files of a group, which a test has to do itself */
export async function openControlGroups(
  layout: ControlGroupLayout,
  ownName: string,
  make: MakeFolder = makeKernelFolder,
): Promise<ControlGroups | undefined> {
  const trees = await openTrees(layout, ownName, make);
  const limitsMemory = trees.some((tree) => tree.memory);
  const limitsProcesses = trees.some((tree) => tree.pids);
  if (!limitsMemory && !limitsProcesses) {
    for (const tree of trees) rmdirSync(tree.folder);
    return undefined;
  }
  const pool = createPool(trees, make);
  return {
    kind: `cgroup v${trees[0]?.version}`,
    limitsMemory,
    limitsProcesses,
    sharesProcessors: trees.some((tree) => tree.cpu),
    take: pool.take,
    async close() {
      await pool.empty();
      await Promise.all(trees.map((tree) => rmdir(tree.folder).catch(() => undefined)));
    },
  };
}

interface Pool {
  take(limits: GroupLimits, teamId: string): AttemptGroup;
  empty(): Promise<void>;
}

const maxFree = 64;

function createPool(trees: readonly ControlGroupTree[], make: MakeFolder): Pool {
  let free: string[] = [];
  let count = 0;
  const remove = async (name: string): Promise<void> => {
    await Promise.all(trees.map((tree) => removeGroupFolder(join(tree.folder, name))));
  };
  /** Orphans that process 1 has not waited for are in no list, but count. */
  const isEmpty = (name: string): boolean =>
    trees.every((tree) => !tree.pids || readKernelValue(join(tree.folder, name, "pids.current"))?.trim() === "0");
  const giveBack = async (name: string): Promise<void> => {
    if (free.length < maxFree && isEmpty(name)) free.push(name);
    else await remove(name);
  };
  const shares = new ProcessorShares(trees);
  return {
    take(limits, teamId) {
      const name = free.pop() ?? `attempt-${count++}`;
      for (const tree of trees) make(join(tree.folder, name));
      shares.add(teamId, name);
      return openGroup(trees, name, limits, () => {
        shares.remove(teamId, name);
        return giveBack(name);
      });
    },
    async empty() {
      const names = free;
      free = [];
      await Promise.all(names.map(remove));
    },
  };
}

import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { readStartTicks } from "../process-table.ts";
import { type ControlGroupTree, readKernelValue, removeGroupFolder, trySetKernelValue } from "./attempt-group.ts";
import type { ControlGroupLayout } from "./control-group-layout.ts";

/** Where the service may create control groups, with its own group there: one tree in version 2, one for each controller in version 1. */

/** Creates a folder of the kernel, if it is not there; the files of the group appear in it. @returns whether it was not there */
export type MakeFolder = (folder: string) => boolean;

export function makeKernelFolder(folder: string): boolean {
  return mkdirSync(folder, { recursive: true }) !== undefined;
}

const none = { memory: false, pids: false, cpu: false };
/** The default weight of a group. Ours gets this for each processor: otherwise all steps together would count as much as one process. */
const defaultShares = 1024;

/** @returns an empty list if nothing may be created */
export async function openTrees(layout: ControlGroupLayout, ownName: string, make: MakeFolder): Promise<ControlGroupTree[]> {
  const unified = layout.unified === undefined ? undefined : await openUnified(layout.unified, ownName, make);
  if (unified) return [unified];
  const trees: ControlGroupTree[] = [];
  for (const controller of ["memory", "pids", "cpu"] as const) {
    const parent = layout[controller];
    const folder = parent === undefined ? undefined : await makeOwn(parent, ownName, make);
    if (folder) trees.push({ ...none, folder, version: 1, [controller]: true });
    if (folder && controller === "cpu") trySetKernelValue(join(folder, "cpu.shares"), String(defaultShares * availableParallelism()));
  }
  return trees;
}

/**
 * In v2 a group that contains processes can't pass controllers to groups below it. So our group is created below our own one if that is
 * possible, otherwise beside it, where a session or service manager has already delegated the controllers.
 */
async function openUnified(own: string, ownName: string, make: MakeFolder): Promise<ControlGroupTree | undefined> {
  for (const parent of [own, dirname(own)]) {
    // Above the top of the tree there are no groups.
    if (readKernelValue(join(parent, "cgroup.controllers")) === undefined || giveClaims(parent).length === 0) continue;
    const folder = await makeOwn(parent, ownName, make);
    if (!folder) continue;
    const usable = giveClaims(folder);
    if (usable.length > 0) return { folder, version: 2, ...asFlags(usable) };
    rmdirSync(folder);
  }
  return undefined;
}

function asFlags(controllers: readonly string[]): typeof none {
  return { memory: controllers.includes("memory"), pids: controllers.includes("pids"), cpu: controllers.includes("cpu") };
}

/** @returns which of our controllers groups below this folder have, after requesting the missing ones */
function giveClaims(folder: string): string[] {
  const path = join(folder, "cgroup.subtree_control");
  const wanted = ["memory", "pids", "cpu"];
  const read = (): string[] => (readKernelValue(path) ?? "").split(/\s+/).filter((word) => wanted.includes(word));
  if (read().length < wanted.length && !trySetKernelValue(path, wanted.map((controller) => `+${controller}`).join(" "))) {
    for (const controller of wanted) trySetKernelValue(path, `+${controller}`);
  }
  return read();
}

async function makeOwn(parent: string, ownName: string, make: MakeFolder): Promise<string | undefined> {
  await removeLeftovers(parent);
  const folder = join(parent, ownName);
  try {
    make(folder);
    if (readKernelValue(join(folder, "cgroup.procs")) !== undefined) return folder;
    rmdirSync(folder);
    return undefined;
  } catch {
    return undefined;
  }
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of listFolder(parent)) {
    const [, pid, startTicks] = /^millrace-(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || (await readStartTicks(Number(pid))) === Number(startTicks)) continue;
    const folder = join(parent, name);
    // The other names are the kernel's own files.
    for (const attempt of listFolder(folder).filter((one) => one.startsWith("attempt-"))) await removeGroupFolder(join(folder, attempt));
    await rmdir(folder).catch(() => undefined);
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

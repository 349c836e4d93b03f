import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { killUntilGone } from "../process-table.ts";

/** The control group of one attempt: its limits, its processes, and how they end. */

export interface GroupLimits {
  memoryBytes: number;
  processes: number;
}

/** A group that no attempt has yet. A process may join it and wait there; it counts for no team. */
export interface GroupAhead {
  joinFiles: string[];
  /** From now on it is the group of an attempt, which returns it. */
  assign(limits: GroupLimits, teamId: string): AttemptGroup;
  /** Returns it without an attempt. Its processes have ended. */
  release(): Promise<void>;
}

export interface AttemptGroup {
  /** A process that writes `0` to each of them joins; the number of another process makes that one join. */
  joinFiles: string[];
  /** How often the kernel has ended a process because the memory of the group was used up, since the group was taken. */
  countOutOfMemory(): number;
  /** Ends every process in the group, including those that left their session, and those that are started in the meantime. */
  kill(): Promise<void>;
  processes(): number[];
  /** Held by its processes, without cached files that the kernel could drop; undefined if it is not counted. */
  memoryBytes(): number | undefined;
  /** While nothing in it runs, the other groups of its team get its share of the processors. */
  rest(): void;
  resume(): void;
  /** Returns the empty group. */
  release(): Promise<void>;
}

/** What the list of groups does for a single group. */
interface GroupOwner extends Pick<AttemptGroup, "rest" | "resume"> {
  returnGroup(): Promise<void>;
}

/**
 * @param name of its existing folder in each tree
 * @param limits undefined: it has them already, from an attempt before
 */
export function openGroup(
  trees: readonly ControlGroupTree[],
  name: string,
  limits: GroupLimits | undefined,
  { returnGroup, rest, resume }: GroupOwner,
): AttemptGroup {
  const folders = trees.map((tree) => join(tree.folder, name));
  if (limits) for (const [index, tree] of trees.entries()) setLimits(tree, folders[index] ?? "", limits);
  const memoryFolder = folders[trees.findIndex((tree) => tree.memory)];
  const countAll = (): number => (memoryFolder === undefined ? 0 : readOutOfMemory(memoryFolder));
  const countBefore = countAll();
  const processes = (): number[] => [...new Set(folders.flatMap(readProcesses))];
  const kill = async (): Promise<void> => void (await Promise.all(folders.map(killFolder)));
  return {
    joinFiles: joinFilesOf(trees, name),
    countOutOfMemory: () => countAll() - countBefore,
    kill,
    processes,
    memoryBytes: () => (memoryFolder === undefined ? undefined : readHeld(memoryFolder)),
    rest,
    resume,
    async release() {
      if (!(await waitForEnd(processes))) await kill();
      await returnGroup();
    },
  };
}

/**
 * A move by `cgroup.procs` waits for all processors to have passed through the kernel, which takes some milliseconds even where nothing else
 * runs. Version 1 has another file, which moves one thread: a process that moves itself does not wait there, and what joins has one thread.
 */
export function joinFilesOf(trees: readonly ControlGroupTree[], name: string): string[] {
  return trees.map(({ folder, version }) => join(folder, name, version === 1 ? "tasks" : "cgroup.procs"));
}

/** The launcher is a process too, and a shell needs one more to start a program. */
const ownProcesses = 3;

function setLimits(tree: ControlGroupTree, folder: string, limits: GroupLimits): void {
  if (tree.pids) setKernelValue(join(folder, "pids.max"), String(limits.processes + ownProcesses));
  if (!tree.memory) return;
  const bytes = String(limits.memoryBytes);
  if (tree.version === 2) {
    setKernelValue(join(folder, "memory.max"), bytes);
    trySetKernelValue(join(folder, "memory.swap.max"), "0");
    // The whole step ends, not only its largest process: otherwise the rest would continue in an unforeseen state.
    trySetKernelValue(join(folder, "memory.oom.group"), "1");
    return;
  }
  // The limit of memory and swap together may never be below that of memory alone, so the order of writing differs between shrinking and
  // growing.
  const both = join(folder, "memory.memsw.limit_in_bytes");
  trySetKernelValue(both, "-1");
  setKernelValue(join(folder, "memory.limit_in_bytes"), bytes);
  trySetKernelValue(both, bytes);
}

function readOutOfMemory(folder: string): number {
  const text = readKernelValue(join(folder, "memory.oom_control")) ?? readKernelValue(join(folder, "memory.events"));
  return Number(/^oom_kill (\d+)$/m.exec(text ?? "")?.[1] ?? 0);
}

function readHeld(folder: string): number {
  const text = readKernelValue(join(folder, "memory.stat")) ?? "";
  // Version 1 calls `rss` what version 2 calls `anon`.
  return [/^(?:anon|rss) (\d+)$/m, /^shmem (\d+)$/m].reduce((sum, line) => sum + Number(line.exec(text)?.[1] ?? 0), 0);
}

function readProcesses(folder: string): number[] {
  const text = readKernelValue(join(folder, "cgroup.procs")) ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(Number);
}

/** Killed processes usually disappear in a moment; what stays longer is ended by `kill`. @returns whether there is none any more */
async function waitForEnd(processes: () => number[]): Promise<boolean> {
  for (let round = 0; round < 10; round++) {
    if (processes().length === 0) return true;
    await pause(1 + round);
  }
  return false;
}

async function killFolder(folder: string): Promise<void> {
  if (readProcesses(folder).length === 0) return;
  if (trySetKernelValue(join(folder, "cgroup.kill"), "1")) return void (await waitForEnd(() => readProcesses(folder)));
  // v1 has no such switch: allow no further process while the existing ones are being ended.
  const limit = join(folder, "pids.max");
  const before = readKernelValue(limit);
  if (before !== undefined) setKernelValue(limit, "0");
  await killUntilGone(async () => readProcesses(folder));
  // 0 is no limit of an attempt, but of another kill of this group that has not ended yet, and has the limit.
  if (before !== undefined && Number(before) !== 0) setKernelValue(limit, before);
}

/** Ends the processes in it, and removes it. A folder that the kernel keeps busy for too long stays. */
export async function removeGroupFolder(folder: string): Promise<void> {
  await killFolder(folder);
  for (let round = 0; round < 20; round++) {
    const isGone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    );
    if (isGone) return;
    await pause(1 + round);
  }
}

/** Our own group in one tree, and its abilities. */
export interface ControlGroupTree {
  folder: string;
  version: 1 | 2;
  memory: boolean;
  pids: boolean;
  /** Processor time is shared by weights. */
  cpu: boolean;
}

/** Files of the kernel (/sys/fs/cgroup) have no disk behind them: opening, reading and setting a value takes microseconds. */
function setKernelValue(path: string, value: string): void {
  // Never "w": if the file does not exist, the folder is not the kernel's, and creating a file of our own must not hide that.
  const file = openSync(path, "r+");
  try {
    writeSync(file, value);
  } finally {
    closeSync(file);
  }
}

/** @returns whether the kernel accepted the value */
export function trySetKernelValue(path: string, value: string): boolean {
  try {
    setKernelValue(path, value);
    return true;
  } catch {
    return false;
  }
}

/** @returns the text, or undefined if there is no such file or it can't be read */
export function readKernelValue(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

import { rmdirSync } from "node:fs";
import { readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { sharesOf } from "../../steps/team-shares.ts";
import { readStartTicks } from "../process-table.ts";
import {
  type AttemptGroup,
  type ControlGroupTree,
  type GroupAhead,
  type GroupLimits,
  joinFilesOf,
  openGroup,
  readKernelValue,
  removeGroupFolder,
  trySetKernelValue,
} from "./attempt-group.ts";
import { type ControlGroupLayout, readControlGroupLayout } from "./control-group-layout.ts";
import { type MakeFolder, makeKernelFolder, openTrees } from "./control-group-trees.ts";

/**
 * Limits of memory and processes by control groups: one group per service, below it one per attempt. What is not available is left out and
 * reported; a machine without any of it uses rlimits instead.
 *
 * Groups of attempts are reused: creating one costs time, and the kernel keeps a removed group as long as a page of a file that it read is
 * cached.
 */
export interface ControlGroups {
  /** For people: `cgroup v2`, `cgroup v1`. */
  readonly kind: string;
  readonly limitsMemory: boolean;
  readonly limitsProcesses: boolean;
  /** Teams have the same processor time, however many attempts each of them runs. */
  readonly sharesProcessors: boolean;
  take(limits: GroupLimits, teamId: string): AttemptGroup;
  /** For a sandbox that is made before its job is known: a process joins it meanwhile, since that takes the kernel some milliseconds. */
  takeAhead(): GroupAhead;
  close(): Promise<void>;
}

/** Those of this machine. @param suffix distinguishes the groups of one process */
export async function findControlGroups(suffix: string): Promise<ControlGroups | undefined> {
  const read = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");
  const layout = readControlGroupLayout(await read("/proc/self/cgroup"), await read("/proc/self/mountinfo"));
  return openControlGroups(layout, await ownGroupName(suffix));
}

/** @param make creates a folder; the kernel then creates the files of the group, which a test has to do itself */
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
    take: (limits, teamId) => pool.takeAhead().assign(limits, teamId),
    takeAhead: pool.takeAhead,
    async close() {
      await pool.empty();
      await Promise.all(trees.map((tree) => rmdir(tree.folder).catch(() => undefined)));
    },
  };
}

interface Pool {
  takeAhead(): GroupAhead;
  empty(): Promise<void>;
}

const maxFree = 64;
const mostHeldBytes = 1_048_576;

function createPool(trees: readonly ControlGroupTree[], make: MakeFolder): Pool {
  let free: string[] = [];
  let count = 0;
  /** The limits that the kernel has for a group, as far as this process has set them. */
  const limited = new Map<string, string>();
  const shares = new ProcessorShares(trees);
  const remove = async (name: string): Promise<void> => {
    limited.delete(name);
    shares.forget(name);
    await Promise.all(trees.map((tree) => removeGroupFolder(join(tree.folder, name))));
  };
  /** Orphans that process 1 has not reaped are in no list, but they count. */
  const hasProcesses = (name: string): boolean =>
    trees.some((tree) => tree.pids && readKernelValue(join(tree.folder, name, "pids.current"))?.trim() !== "0");
  /**
   * Files that it wrote to a disk in memory, which may contain a workspace. Unlike other cached files, the kernel can't drop them, so the
   * next attempt, of another team, would have that much less memory. They move to the parent group when this one is removed.
   */
  const holdsMemory = (name: string): boolean => {
    const memory = trees.find((tree) => tree.memory);
    if (memory === undefined) return false;
    const of = (file: string): string | undefined => readKernelValue(join(memory.folder, name, file));
    // The kernel adds up the statistics of all processors before it shows them, and the total includes these files.
    const total = of(memory.version === 2 ? "memory.current" : "memory.usage_in_bytes");
    if (total !== undefined && Number(total) <= mostHeldBytes) return false;
    const text = of("memory.stat");
    return Number(/^shmem (\d+)$/m.exec(text ?? "")?.[1] ?? 0) > mostHeldBytes;
  };
  const isEmpty = (name: string): boolean => !hasProcesses(name) && !holdsMemory(name);
  const returnGroup = async (name: string): Promise<void> => {
    if (free.length < maxFree && isEmpty(name)) free.push(name);
    else await remove(name);
  };
  const assign = (name: string, limits: GroupLimits, teamId: string): AttemptGroup => {
    const rest = (): void => shares.remove(teamId, name);
    const returnRested = (): Promise<void> => {
      rest();
      return returnGroup(name);
    };
    const owner = { rest, resume: () => shares.add(teamId, name), returnGroup: returnRested };
    const word = `${limits.memoryBytes} ${limits.processes}`;
    const group = openGroup(trees, name, limited.get(name) === word ? undefined : limits, owner);
    limited.set(name, word);
    // Last, since the kernel may refuse the rest: then the group has no attempt that would return it.
    shares.add(teamId, name);
    return group;
  };
  return {
    takeAhead() {
      const name = free.pop() ?? `attempt-${count++}`;
      for (const tree of trees) {
        // One that someone has removed is made again, without what was written to it.
        if (!make(join(tree.folder, name))) continue;
        limited.delete(name);
        shares.forget(name);
      }
      return {
        joinFiles: joinFilesOf(trees, name),
        assign: (limits, teamId) => assign(name, limits, teamId),
        release: () => returnGroup(name),
      };
    },
    async empty() {
      const names = free;
      free = [];
      await Promise.all(names.map(remove));
    },
  };
}

/**
 * The processor time of teams. The weights of all attempts of a team add up to the same sum for every team, so a team with fifty busy
 * scripts gets as much of the machine as one with a single script; time that some teams don't need is shared by the others.
 */
class ProcessorShares {
  readonly #trees: readonly ControlGroupTree[];
  /** Names of the groups of running attempts, by team. */
  readonly #groups = new Map<string, Set<string>>();
  /** How many attempts share with each group, as it was last written to it. */
  readonly #written = new Map<string, number>();
  readonly #late = new Map<string, NodeJS.Timeout>();

  constructor(trees: readonly ControlGroupTree[]) {
    this.#trees = trees.filter(({ cpu }) => cpu);
  }

  add(teamId: string, name: string): void {
    const names = this.#groups.get(teamId) ?? new Set();
    this.#groups.set(teamId, names.add(name));
    this.#balance(teamId);
  }

  /** The others get its share a moment later: if another attempt of the team begins by then, as in a long list, nothing changes for them. */
  remove(teamId: string, name: string): void {
    const names = this.#groups.get(teamId);
    if (!names?.delete(name)) return;
    if (names.size === 0) this.#groups.delete(teamId);
    if (!this.#late.has(teamId)) this.#late.set(teamId, setTimeout(() => this.#balance(teamId), lateMs).unref());
  }

  /** Of a group that no longer exists. */
  forget(name: string): void {
    this.#written.delete(name);
  }

  #balance(teamId: string): void {
    clearTimeout(this.#late.get(teamId));
    this.#late.delete(teamId);
    const names = this.#groups.get(teamId) ?? new Set<string>();
    for (const name of names) {
      if (this.#written.get(name) === names.size) continue;
      this.#written.set(name, names.size);
      for (const { folder, version } of this.#trees) {
        const [file, value] = version === 2 ? ["cpu.weight", weightOf(names.size)] : ["cpu.shares", sharesOf(names.size)];
        trySetKernelValue(join(folder, name, file), `${value}\n`);
      }
    }
  }
}

const lateMs = 30;

/** `cpu.weight` of version 2, from 1 to 10,000. */
function weightOf(attempts: number): number {
  return Math.max(1, Math.round(10_000 / attempts));
}

/** @returns the name of a service's group: it includes the process that owns it, so that the next one can detect leftovers */
export async function ownGroupName(suffix: string): Promise<string> {
  return `millrace-${process.pid}-${await readStartTicks(process.pid)}-${suffix}`;
}

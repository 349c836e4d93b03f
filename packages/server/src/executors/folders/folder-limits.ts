import { type StatsFs, statfsSync, statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { neededSpace, readSpace } from "../machine/disk-space.ts";
import { type FullDisk, findFullDisk } from "./full-disk.ts";
import { measureTree, measureTrees, nothing, type TreeSize } from "./measure-tree.ts";
import { measureUnlinked, noUnlinked, type UnlinkedFiles } from "./open-files.ts";
import { fileLimit, type Overflow, tooLarge, tooMany } from "./overflow.ts";
import { shrinkTree } from "./shrink-tree.ts";

/** A folder of an attempt that must not grow beyond a limit. */
export interface WatchedFolder {
  /** For the message: `workspace "source"`. */
  label: string;
  path: string;
  /** Further folders that count towards its limit. */
  parts?: readonly string[];
  limitBytes: number;
  /** Its size before the attempt, if it is known. */
  known: TreeSize | undefined;
  /** Removed with the attempt, so its size at the end doesn't matter. Unlinked files count here. */
  isTemporary?: boolean;
  /** Also counts as a part of another folder, which unlinked files are counted against. */
  isPart?: boolean;
  /** The file system that the processes' files are on, if it differs from that of the folder. */
  fileDevice?: number | undefined;
}

/**
 * File systems move blocks after the writer has ended: a file may take more of them hours later. Growth up to this size is ignored. It does
 * not add up over attempts, see `sizeOf`.
 */
function settlingBytes(bytes: number): number {
  return Math.max(65_536, bytes / 64);
}

/** A folder may keep this much beyond its limit, so that a task can clean up after another one, or a person can inspect it. */
const leftBytes = 67_108_864;

interface Space {
  bytes: number;
  files: number;
}

/** A folder at its last measurement. */
interface Seen {
  folder: WatchedFolder;
  limit: Space;
  device: number;
  /** Its size before the attempt. */
  first: TreeSize;
  /** Growth beyond the smallest size is due to this attempt. */
  smallest: Space;
  latest: TreeSize;
}

/** Folders may be moved while they are counted; at the end, when nobody should do that, counting is retried. */
const finalTries = 3;

/**
 * The sizes of the folders of one attempt, compared with their limits. A folder that was over its limit before may shrink or keep its size;
 * only growth is a breach, so that a step can clean up.
 *
 * If something can't be read (a process that hides its open files, files in transit in a socket, folders of other users), it is assumed to
 * take all the free space that the disk has lost since the attempt started and that nothing else explains.
 */
export class FolderLimits {
  readonly #seen: Seen[] = [];
  /** Free space of each device: before the attempt, and at the last measurement. */
  readonly #free = new Map<number, { path: string; first: Space; latest: Space }>();
  readonly #folders: readonly WatchedFolder[];
  readonly #findProcesses: (() => Promise<number[]>) | undefined;
  readonly #describeSockets: () => readonly string[];
  readonly #countsWatches: boolean;
  #unlinked: UnlinkedFiles = noUnlinked;
  #beganAt = Date.now();

  /**
   * @param findProcesses of the attempt; undefined: they can't be seen from here
   * @param describeSockets our ends of its sockets
   * @param countsWatches whether to count the descriptors that its processes have the kernel watch
   */
  constructor(
    folders: readonly WatchedFolder[],
    findProcesses: (() => Promise<number[]>) | undefined,
    describeSockets: () => readonly string[] = () => [],
    countsWatches = false,
  ) {
    this.#folders = folders;
    this.#findProcesses = findProcesses;
    this.#describeSockets = describeSockets;
    this.#countsWatches = countsWatches;
  }

  /**
   * Measures the folders whose size is not known yet; called before the first step. The folder of the attempt is on a disk that is written
   * synchronously anyway (attempt-folder.ts); a workspace may be on another machine.
   */
  async begin(): Promise<void> {
    this.#beganAt = Date.now();
    for (const folder of this.#folders) {
      const limit = { bytes: folder.limitBytes, files: fileLimit(folder.limitBytes) };
      const isOurs = folder.isTemporary === true;
      const { dev } = isOurs ? statSync(folder.path) : await stat(folder.path);
      const first = folder.known ?? (await measureTree(folder.path));
      this.#seen.push({ folder, limit, device: dev, first, smallest: first, latest: first });
      if (this.#free.has(dev)) continue;
      const free = isOurs ? spaceOf(statfsSync(folder.path)) : await freeSpace(folder.path);
      this.#free.set(dev, { path: folder.path, first: free, latest: free });
    }
  }

  /** Measures all folders while steps run. @param isStopped the steps have ended in the meantime, and the result does not count */
  async look(isStopped: () => boolean): Promise<Overflow | undefined> {
    for (const free of this.#free.values()) free.latest = await freeSpace(free.path);
    const pids = (await this.#findProcesses?.()) ?? [];
    await this.#measureUnlinked(pids);
    for (const seen of this.#seen) {
      const overflow = await this.#measure(seen, isStopped);
      if (overflow !== undefined) return overflow;
    }
    return undefined;
  }

  /** At the last measurement. */
  get watches(): number {
    return this.#unlinked.watches;
  }

  /** Measures the folders that stay, when no process of the attempt is left. */
  async measureAtEnd(): Promise<Overflow | undefined> {
    this.#unlinked = noUnlinked;
    const staying = this.#seen.filter(({ folder }) => !folder.isTemporary);
    if (staying.length === 0) return undefined;
    for (const free of this.#free.values()) free.latest = await freeSpace(free.path);
    for (const seen of staying) {
      let overflow = await this.#measure(seen);
      for (let tries = 1; tries < finalTries && !seen.latest.isComplete; tries++) overflow = await this.#measure(seen);
      if (overflow !== undefined) return overflow;
    }
    return undefined;
  }

  /**
   * Between two measurements a program can write any amount, and many attempts would add up in a folder that stays. So what is far beyond
   * the limit is removed, when no process of the attempt is left. @returns what was removed, as sentences
   */
  async reclaim(): Promise<string[]> {
    const sentences: string[] = [];
    for (const seen of this.#seen.filter(({ folder }) => !folder.isTemporary)) {
      const { folder, limit, first } = seen;
      const wanted = { bytes: Math.max(limit.bytes, first.bytes), files: Math.max(limit.files, first.files) };
      const spare = { bytes: Math.max(2 * limit.bytes + leftBytes, first.bytes), files: Math.max(2 * limit.files, first.files) };
      // If the disk has no room for others, nothing beyond the limit may stay.
      const most = (await hasRoom(folder.path)) ? spare : wanted;
      const removed = await shrinkTree(folder.path, { most, wanted, since: this.#beganAt }).catch((error: Error) => error);
      if (removed === undefined) continue;
      seen.latest = { ...nothing, isComplete: false };
      sentences.push(
        `${folder.label} was ${most === spare ? "far beyond its limit" : "beyond its limit on a disk without room"}${ending(removed)}`,
      );
    }
    return sentences;
  }

  /** Whether the disk has lost more space since the last measurement than some folder has left: then it is time to measure again. */
  async isShrinking(): Promise<boolean> {
    for (const [device, free] of this.#free) {
      const now = await freeSpace(free.path);
      const ofDevice = this.#seen.filter((seen) => seen.device === device);
      const left = (part: keyof Space) =>
        Math.min(...ofDevice.map(({ limit, latest }) => Math.max(limit[part] - latest[part], limit[part] / 8)));
      if (free.latest.bytes - now.bytes > left("bytes") || free.latest.files - now.files > left("files")) return true;
    }
    return false;
  }

  /** Whether a disk is full, and which folder has filled it; called before the folders are cleared. */
  findFullDisk(): Promise<FullDisk | undefined> {
    const disks = [...this.#free].map(([device, { path, first }]) => ({
      path,
      before: first,
      folders: this.#seen.filter((seen) => seen.device === device).map(({ folder, first: before }) => ({ folder, before })),
    }));
    return findFullDisk(disks);
  }

  /**
   * Last measured size of a folder. Above the limit it is at most the size before the attempt, so that many attempts can't add a little
   * each.
   */
  sizeOf(path: string): TreeSize | undefined {
    const seen = this.#seen.find(({ folder }) => folder.path === path);
    return seen && { ...seen.latest, bytes: Math.min(seen.latest.bytes, Math.max(seen.limit.bytes, seen.first.bytes)) };
  }

  async #measure(seen: Seen, isStopped?: () => boolean): Promise<Overflow | undefined> {
    const { folder, limit, smallest, device } = seen;
    // No need to count beyond its previous size.
    const mostBytes = Math.max(limit.bytes, smallest.bytes + settlingBytes(smallest.bytes));
    const most = { bytes: mostBytes, files: Math.max(limit.files, smallest.files) };
    const tree = await measureTrees(folder, most, isStopped);
    if (isStopped?.()) return undefined;
    const unlinked = folder.isTemporary && !folder.isPart ? this.#unlinked : nothing;
    seen.latest = tree;
    // An incomplete count does not mean that the folder shrank.
    if (tree.isComplete) seen.smallest = { bytes: Math.min(tree.bytes, smallest.bytes), files: Math.min(tree.files, smallest.files) };
    const isComplete = tree.isComplete && unlinked.isComplete;
    const hiddenBytes = isComplete ? 0 : this.#unexplained(device);
    const bytes = tree.bytes + unlinked.bytes + hiddenBytes;
    const files = tree.files + unlinked.files;
    if (bytes > mostBytes) return tooLarge(folder, bytes, { unlinkedBytes: unlinked.bytes, hiddenBytes });
    if (files > limit.files && files > smallest.files) return tooMany(folder.label, limit.files);
    return undefined;
  }

  /**
   * Reads each thread only if the disk has lost more than was found, and enough for a folder to exceed its limit: most programs have many
   * threads and hide nothing.
   */
  async #measureUnlinked(pids: readonly number[]): Promise<void> {
    const devices = new Set(this.#seen.map(({ folder, device }) => folder.fileDevice ?? device));
    const search = { pids, devices, descriptions: this.#describeSockets(), countsWatches: this.#countsWatches };
    this.#unlinked = pids.length === 0 ? noUnlinked : await measureUnlinked(search);
    const isHidden = this.#seen
      .filter(({ folder }) => folder.isTemporary && !folder.isPart)
      .some(({ limit, latest }) => this.#largestUnexplained() > limit.bytes - latest.bytes - this.#unlinked.bytes);
    if (isHidden && pids.length > 0) this.#unlinked = await measureUnlinked({ ...search, isThorough: true });
  }

  #largestUnexplained(): number {
    return Math.max(0, ...[...this.#free.keys()].map((device) => this.#unexplained(device)));
  }

  /** By how much the free space has shrunk beyond what was counted for this attempt. */
  #unexplained(device: number): number {
    const free = this.#free.get(device);
    if (!free) return 0;
    const counted = this.#seen
      .filter((seen) => seen.device === device && !seen.folder.isPart)
      .reduce((sum, { first, latest }) => sum + Math.max(0, latest.bytes - first.bytes), this.#unlinked.bytes);
    return Math.max(0, free.first.bytes - free.latest.bytes - counted);
  }
}

/** Whether the disk of a folder has the free space that further attempts need. */
async function hasRoom(path: string): Promise<boolean> {
  const { left, needed } = await readSpace(neededSpace(path));
  return left.bytes >= needed.bytes && left.files >= needed.files;
}

async function freeSpace(path: string): Promise<Space> {
  return spaceOf(await statfs(path));
}

function spaceOf({ bfree, bsize, ffree }: StatsFs): Space {
  return { bytes: bfree * bsize, files: ffree };
}

function ending(removed: number | Error): string {
  if (removed instanceof Error) return `, and could not be reduced to it: ${removed.message}`;
  return `, so ${removed} ${removed === 1 ? "file" : "files and folders"} that this task wrote there ${removed === 1 ? "was" : "were"} removed`;
}

import { constants, type Dir, type Stats } from "node:fs";
import { opendir, readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { throwIfMachineFault } from "../../base/error/machine-fault.ts";
import { readLines } from "../../base/file/read-lines.ts";
import type { TreeSize } from "./measure-tree.ts";

/**
 * What processes hold of files that have no name any more; it is not complete when a process holds files on a disk that can't be looked at.
 */
export interface UnlinkedFiles extends Pick<TreeSize, "bytes" | "files" | "isComplete"> {
  /**
   * Of those that lie in memory (memfd, shared mappings, what was removed from `/dev/shm`), which no process has to have mapped as a whole.
   */
  memoryBytes: number;
  /** The same for files in memory. */
  isMemoryComplete: boolean;
  /** How many descriptors and such mappings were looked at. */
  handles: number;
  /** How many descriptors they have told the kernel to watch (epoll), where that was asked for. */
  watches: number;
}

export const noUnlinked: UnlinkedFiles = {
  bytes: 0,
  files: 0,
  isComplete: true,
  memoryBytes: 0,
  isMemoryComplete: true,
  handles: 0,
  watches: 0,
};

const blockBytes = 512;
/** Descriptors and mappings that are looked at of one process, and of all; one that has more is not read to its end. */
const maxHandles = 65_536;
/**
 * So much is read of the lists of mappings of all processes. A step chooses how long they are: 65,530 lines a process, each as long as its
 * folders are deep, which is more than the service has memory for.
 */
const maxListBytes = 16_777_216;

interface Search {
  /** Of one attempt; one that ends meanwhile holds nothing. */
  pids: readonly number[];
  /** Of the folders that count. */
  devices: ReadonlySet<number>;
  /** Where the kernel describes other ends of their sockets (`fdinfo`): what was sent to one that nobody reads lies there. */
  descriptions?: readonly string[];
  countsWatches?: boolean;
  /**
   * Looks at each thread by itself too: one may have a table of open files of its own. It costs as much for each thread as for a process.
   */
  isThorough?: boolean;
}

/** Disk space of files that were removed while processes still have them open or mapped: no folder shows it. */
export async function measureUnlinked({
  pids,
  devices,
  descriptions = [],
  countsWatches = false,
  isThorough = false,
}: Search): Promise<UnlinkedFiles> {
  const seen = new Set<string>();
  const count: Count = { ...noUnlinked, seen, devices, inMemory: new Map(), leftBytes: maxListBytes, countsWatches };
  for (const pid of pids) await readProcess(pid, count, isThorough);
  for (const description of descriptions) await readSocket(description, count).catch((error) => noteFailure(error, count));
  const { bytes, files, isComplete, memoryBytes, isMemoryComplete, handles, watches } = count;
  return { bytes, files, isComplete, memoryBytes, isMemoryComplete, handles, watches };
}

interface Count extends UnlinkedFiles {
  seen: Set<string>;
  devices: ReadonlySet<number>;
  /** Devices that were asked. */
  inMemory: Map<number, boolean>;
  /** Of lists of mappings and watches, still to be read. */
  leftBytes: number;
  countsWatches: boolean;
}

/** When the first thread has ended the process shows nothing, and its other threads go on with all that it had open. */
async function readProcess(pid: number, count: Count, isThorough: boolean): Promise<void> {
  const of = `/proc/${pid}`;
  if (!(await hasEnded(of))) {
    await readThread(of, count);
    if (!isThorough) return;
  }
  // A thread has a folder like that of a process; no list of `/proc` names it.
  const threads = await readdir(`${of}/task`).catch(() => []);
  for (const thread of threads.filter((name) => name !== String(pid))) await readThread(`/proc/${thread}`, count);
}

/** @param of the folder of a thread, or of a process, which shows its first thread */
async function readThread(of: string, count: Count): Promise<void> {
  const inner = { ...count, isComplete: true, isMemoryComplete: true };
  await readLinks(`${of}/fd`, inner, `${of}/fdinfo`);
  await readMaps(of, inner);
  // A program keeps its file alive also when it has unmapped it.
  await addFile(`${of}/exe`, inner, undefined);
  // What ends belongs to root, and can't be looked at by others, for the moment until it is gone: it gives back all that it has.
  const isOver = !(inner.isComplete && inner.isMemoryComplete) && (await hasEnded(of));
  const isComplete = count.isComplete && (inner.isComplete || isOver);
  const isMemoryComplete = count.isMemoryComplete && (inner.isMemoryComplete || isOver);
  Object.assign(count, inner, { isComplete, isMemoryComplete });
}

/** Whether a process or thread is gone, waits for someone to ask for its end, or is on its way there (PF_EXITING is 4). */
async function hasEnded(of: string): Promise<boolean> {
  const text = await readFile(`${of}/stat`, "latin1").catch(() => undefined);
  if (text === undefined) return true;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" || (Number(fields[6]) & 4) !== 0;
}

async function readLinks(folder: string, count: Count, infos: string): Promise<void> {
  try {
    const entries: Dir = await opendir(folder, { bufferSize: 64 });
    for await (const { name } of entries) {
      if (isTooMany(count)) return;
      await addFile(`${folder}/${name}`, count, `${infos}/${name}`);
    }
  } catch (error) {
    noteFailure(error, count);
  }
}

async function addFile(path: string, count: Count, info: string | undefined): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isSocket() && info !== undefined) return await readSocket(info, count);
    if (count.countsWatches && info !== undefined && isOfKernel(found)) return await addWatches(path, info, count);
    if (!found.isFile() || found.nlink !== 0 || count.seen.has(`${found.dev}:${found.ino}`)) return;
    const isOfFolders = count.devices.has(found.dev);
    if (!isOfFolders && !(await isInMemory(path, found.dev, count))) return;
    count.seen.add(`${found.dev}:${found.ino}`);
    const bytes = found.blocks * blockBytes;
    if (isOfFolders) {
      count.bytes += bytes;
      count.files++;
    } else {
      count.memoryBytes += bytes;
    }
  } catch (error) {
    noteFailure(error, count);
  }
}

/** File systems in memory, by their numbers in `statfs`: tmpfs, which memfd is of, and hugetlbfs. */
const memoryTypes = new Set([0x01021994, 0x958458f6]);

async function isInMemory(path: string, device: number, { inMemory }: Count): Promise<boolean> {
  const known = inMemory.get(device) ?? memoryTypes.has((await statfs(path)).type);
  inMemory.set(device, known);
  return known;
}

/** A file can be sent to a socket that nobody reads: open, and in nobody's list. The kernel says how many there are. */
async function readSocket(info: string, count: Count): Promise<void> {
  const text = await readFile(info, "utf8");
  if (Number(/^scm_fds:\s*(\d+)/m.exec(text)?.[1] ?? 0) > 0) hideAll(count);
}

/** What the kernel gives a descriptor to and is nothing of a file system has no type. */
function isOfKernel({ mode }: Stats): boolean {
  return (mode & constants.S_IFMT) === 0;
}

async function addWatches(path: string, info: string, count: Count): Promise<void> {
  if ((await readlink(path)) !== "anon_inode:[eventpoll]") return;
  for await (const lines of readLines(info, count.leftBytes)) {
    // More than can be read is more than anyone may have.
    if (lines === "too long") {
      count.watches = Number.POSITIVE_INFINITY;
      return;
    }
    count.leftBytes -= lines.bytes;
    count.watches += lines.texts.filter((line) => line.startsWith("tfd:")).length;
  }
}

/** What is not looked at may hold anything. */
function isTooMany(count: Count): boolean {
  if (count.handles++ < maxHandles) return false;
  hideAll(count);
  return true;
}

function hideAll(count: Count): void {
  count.isComplete = false;
  count.isMemoryComplete = false;
}

/** What the kernel itself calls files in memory. A mount of a step is a folder, so its files have one more slash. */
const memoryFile = /^\/(memfd:[^/]*|SYSV[0-9a-f]{8}|dev\/zero) \(deleted\)$/;

/** Files that are mapped into memory need no descriptor, and one mapped page keeps all of a file. */
async function readMaps(of: string, count: Count): Promise<void> {
  try {
    for await (const lines of readLines(`${of}/maps`, count.leftBytes)) {
      if (lines === "too long") return hideAll(count);
      count.leftBytes -= lines.bytes;
      for (const line of lines.texts) {
        if (!line.endsWith(" (deleted)")) continue;
        if (isTooMany(count)) return;
        await addMapping(of, line, count);
      }
    }
  } catch (error) {
    noteFailure(error, count);
  }
}

async function addMapping(of: string, line: string, count: Count): Promise<void> {
  const [, range, path] = /^([0-9a-f]+-[0-9a-f]+)(?: +\S+){4} +(\/.* \(deleted\))$/.exec(line) ?? [];
  if (range === undefined || path === undefined) return;
  const { isComplete } = count;
  await addFile(`${of}/map_files/${withoutZeros(range)}`, count, undefined);
  if (memoryFile.test(path)) count.isComplete = isComplete;
}

/** `maps` writes addresses with leading zeros, `map_files` without. */
function withoutZeros(range: string): string {
  return range
    .split("-")
    .map((address) => address.replace(/^0+(?=.)/, ""))
    .join("-");
}

/** A process that is gone holds nothing; one that hides what it has may hold anything. */
function noteFailure(error: unknown, count: Count): void {
  throwIfMachineFault(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "ESRCH") hideAll(count);
}

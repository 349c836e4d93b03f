import { constants, type Dir, type Stats } from "node:fs";
import { opendir, readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { throwIfMachineFault } from "../../base/error/machine-fault.ts";
import { readLines } from "../../base/file/read-lines.ts";
import type { TreeSize } from "./measure-tree.ts";

/** Files without a name that processes still have open. Incomplete if a process has files on a disk that can't be inspected. */
export interface UnlinkedFiles extends Pick<TreeSize, "bytes" | "files" | "isComplete"> {
  /**
   * Size of those that are in memory (memfd, shared mappings, files removed from `/dev/shm`); processes don't have to map them as a whole.
   */
  memoryBytes: number;
  /** Whether files in memory were counted completely. */
  isMemoryComplete: boolean;
  /** How many descriptors and mappings were inspected. */
  handles: number;
  /** How many descriptors they have the kernel watch (epoll), if that was requested. */
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
/** How many descriptors and mappings are inspected, for one process and for all; a process with more is not read to its end. */
const maxHandles = 65_536;
/**
 * How much is read of the lists of mappings of all processes. A step determines their length: 65,530 lines per process, each as long as its
 * folders are deep, which is more than the service has memory for.
 */
const maxListBytes = 16_777_216;

interface Search {
  /** The processes of one attempt; one that ends in the meantime holds no files. */
  pids: readonly number[];
  /** The devices of the folders that are measured. */
  devices: ReadonlySet<number>;
  /**
   * Where the kernel describes the other ends of their sockets (`fdinfo`): files that were sent to a socket and not received are listed
   * there.
   */
  descriptions?: readonly string[];
  countsWatches?: boolean;
  /** Also inspects each thread: a thread may have its own table of open files. Each thread costs as much as a process. */
  isThorough?: boolean;
}

/** Disk space of files that were removed while processes still have them open or mapped: it does not show in any folder. */
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
  /** Whether a device is in memory, for the devices that were checked. */
  inMemory: Map<number, boolean>;
  /** How many bytes of lists of mappings and watches may still be read. */
  leftBytes: number;
  countsWatches: boolean;
}

/** When its first thread has ended, the process shows nothing, but its other threads keep everything open. */
async function readProcess(pid: number, count: Count, isThorough: boolean): Promise<void> {
  const of = `/proc/${pid}`;
  if (!(await hasEnded(of))) {
    await readThread(of, count);
    if (!isThorough) return;
  }
  // A thread has a folder like that of a process, but it is not listed in `/proc`.
  const threads = await readdir(`${of}/task`).catch(() => []);
  for (const thread of threads.filter((name) => name !== String(pid))) await readThread(`/proc/${thread}`, count);
}

/** @param of the folder of a thread, or of a process, which shows its first thread */
async function readThread(of: string, count: Count): Promise<void> {
  const inner = { ...count, isComplete: true, isMemoryComplete: true };
  await readLinks(`${of}/fd`, inner, `${of}/fdinfo`);
  await readMaps(of, inner);
  // A program keeps its own file alive even if it has unmapped it.
  await addFile(`${of}/exe`, inner, undefined);
  // While a process is ending, it belongs to root and others can't inspect it: it is about to release everything.
  const isOver = !(inner.isComplete && inner.isMemoryComplete) && (await hasEnded(of));
  const isComplete = count.isComplete && (inner.isComplete || isOver);
  const isMemoryComplete = count.isMemoryComplete && (inner.isMemoryComplete || isOver);
  Object.assign(count, inner, { isComplete, isMemoryComplete });
}

/** Whether a process or thread is gone, is a zombie, or is ending (PF_EXITING is 4). */
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

/** File systems in memory, by their numbers in `statfs`: tmpfs, which memfd uses, and hugetlbfs. */
const memoryTypes = new Set([0x01021994, 0x958458f6]);

async function isInMemory(path: string, device: number, { inMemory }: Count): Promise<boolean> {
  const known = inMemory.get(device) ?? memoryTypes.has((await statfs(path)).type);
  inMemory.set(device, known);
  return known;
}

/** A file can be sent to a socket and never received: it is open, but in no process's list. The kernel says how many there are. */
async function readSocket(info: string, count: Count): Promise<void> {
  const text = await readFile(info, "utf8");
  if (Number(/^scm_fds:\s*(\d+)/m.exec(text)?.[1] ?? 0) > 0) hideAll(count);
}

/** Descriptors that don't refer to a file system have no type. */
function isOfKernel({ mode }: Stats): boolean {
  return (mode & constants.S_IFMT) === 0;
}

async function addWatches(path: string, info: string, count: Count): Promise<void> {
  if ((await readlink(path)) !== "anon_inode:[eventpoll]") return;
  for await (const lines of readLines(info, count.leftBytes)) {
    // More than can be read is more than any process is allowed.
    if (lines === "too long") {
      count.watches = Number.POSITIVE_INFINITY;
      return;
    }
    count.leftBytes -= lines.bytes;
    count.watches += lines.texts.filter((line) => line.startsWith("tfd:")).length;
  }
}

/** What is not inspected may be of any size. */
function isTooMany(count: Count): boolean {
  if (count.handles++ < maxHandles) return false;
  hideAll(count);
  return true;
}

function hideAll(count: Count): void {
  count.isComplete = false;
  count.isMemoryComplete = false;
}

/** The kernel's own names for files in memory. A step's mounts are folders, so the paths of their files have one more slash. */
const memoryFile = /^\/(memfd:[^/]*|SYSV[0-9a-f]{8}|dev\/zero) \(deleted\)$/;

/** Files that are mapped into memory need no descriptor, and one mapped page keeps the whole file. */
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

/** A process that is gone holds nothing; one that hides its files may hold anything. */
function noteFailure(error: unknown, count: Count): void {
  throwIfMachineFault(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "ESRCH") hideAll(count);
}

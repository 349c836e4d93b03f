import type { Dir } from "node:fs";
import { opendir, readFile, stat } from "node:fs/promises";
import type { TreeSize } from "./measure-tree.ts";

/** What processes hold of files that have no name any more; it is not complete when a process holds files that can't be looked at. */
export type UnlinkedFiles = Pick<TreeSize, "bytes" | "files" | "isComplete">;

const blockBytes = 512;
/** Descriptors that are looked at of one process, and of all; one that has more is not read to its end. */
const maxDescriptors = 65_536;

/**
 * Disk space of files that were removed while processes still have them open or mapped: no folder shows it.
 *
 * @param pids of one attempt; one that ends meanwhile holds nothing
 * @param devices of the folders that count: what lies in memory (`/dev/shm`, memfd) is counted as memory
 */
export async function measureUnlinked(pids: readonly number[], devices: ReadonlySet<number>): Promise<UnlinkedFiles> {
  const count = { bytes: 0, files: 0, isComplete: true, left: maxDescriptors, seen: new Set<string>() };
  for (const pid of pids) {
    await readLinks(`/proc/${pid}/fd`, count, devices, `/proc/${pid}/fdinfo`);
    await readMaps(pid, count, devices);
  }
  const { bytes, files, isComplete } = count;
  return { bytes, files, isComplete };
}

interface Count extends UnlinkedFiles {
  left: number;
  seen: Set<string>;
}

async function readLinks(folder: string, count: Count, devices: ReadonlySet<number>, infos: string): Promise<void> {
  try {
    const entries: Dir = await opendir(folder, { bufferSize: 64 });
    for await (const { name } of entries) {
      if (count.left-- <= 0) {
        count.isComplete = false;
        return;
      }
      await addFile(`${folder}/${name}`, count, devices, `${infos}/${name}`);
    }
  } catch (error) {
    noteFailure(error, count);
  }
}

async function addFile(path: string, count: Count, devices: ReadonlySet<number>, info: string | undefined): Promise<void> {
  try {
    const found = await stat(path);
    if (found.isSocket() && info !== undefined) return await readSocket(info, count);
    const isCounted = found.isFile() && found.nlink === 0 && devices.has(found.dev);
    if (!isCounted || count.seen.has(`${found.dev}:${found.ino}`)) return;
    count.seen.add(`${found.dev}:${found.ino}`);
    count.bytes += found.blocks * blockBytes;
    count.files++;
  } catch (error) {
    noteFailure(error, count);
  }
}

/** A file can be sent to a socket that nobody reads: open, and in nobody's list. The kernel says how many there are. */
async function readSocket(info: string, count: Count): Promise<void> {
  const text = await readFile(info, "utf8");
  if (Number(/^scm_fds:\s*(\d+)/m.exec(text)?.[1] ?? 0) > 0) count.isComplete = false;
}

/** Files that are mapped into memory need no descriptor. */
async function readMaps(pid: number, count: Count, devices: ReadonlySet<number>): Promise<void> {
  try {
    const text = await readFile(`/proc/${pid}/maps`, "utf8");
    for (const line of text.split("\n")) {
      const range = /^([0-9a-f]+-[0-9a-f]+) .* \/.* \(deleted\)$/.exec(line)?.[1];
      if (range === undefined || /\/(memfd:|dev\/zero|SYSV|dev\/shm\/)/.test(line)) continue;
      if (count.left-- <= 0) {
        count.isComplete = false;
        return;
      }
      await addFile(`/proc/${pid}/map_files/${withoutZeros(range)}`, count, devices, undefined);
    }
  } catch (error) {
    noteFailure(error, count);
  }
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
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "ESRCH") count.isComplete = false;
}

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Memory of the machine in bytes, as the kernel counts it in `/proc/meminfo`. */
export interface MachineMemory {
  totalBytes: number;
  /** What can be used before programs have to be ended or swapped out. */
  availableBytes: number;
  /** In files in memory (tmpfs, memfd), System V segments and huge pages: memory that no process needs to have mapped. */
  sharedBytes: number;
}

/** Undefined if there is no such file (macOS). */
export async function readMachineMemory(): Promise<MachineMemory | undefined> {
  const text = await readFile("/proc/meminfo", "latin1").catch(() => undefined);
  return text === undefined ? undefined : parseMachineMemory(text);
}

export function parseMachineMemory(text: string): MachineMemory {
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(text)?.[1] ?? 0);
  const kibibytes = (name: string): number => read(name) * 1024;
  const hugeBytes = (read("HugePages_Total") - read("HugePages_Free")) * kibibytes("Hugepagesize");
  // Kernels before 3.14 have no MemAvailable.
  const availableBytes =
    kibibytes("MemAvailable") || kibibytes("MemFree") + kibibytes("Buffers") + kibibytes("Cached") - kibibytes("Shmem");
  return { totalBytes: kibibytes("MemTotal"), availableBytes, sharedBytes: kibibytes("Shmem") + hugeBytes };
}

/**
 * How many files and connections this process may have open; undefined if that is unknown. Read early: once too many are open, it could not
 * be read any more.
 */
export const openFilesLimit = readOpenFilesLimit();

function readOpenFilesLimit(): number | undefined {
  try {
    // "unlimited" is not a number.
    const limit = Number(/^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1]);
    return Number.isNaN(limit) ? undefined : limit;
  } catch {
    return undefined;
  }
}

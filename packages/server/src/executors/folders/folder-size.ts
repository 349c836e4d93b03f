import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

const blockBytes = 512;

/**
 * Disk space below a folder in bytes. Links are not followed; what vanishes meanwhile or can't be read counts nothing.
 * @param stopAt no need to count further than this
 */
export async function measureFolder(folder: string, stopAt = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined && bytes <= stopAt; next = pending.pop()) {
    const entries = await opendir(next, { bufferSize: 128 }).catch(() => undefined);
    if (!entries) continue;
    const sizes: Promise<number>[] = [];
    try {
      for await (const entry of entries) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) pending.push(path);
        else sizes.push(usedBytes(path));
        if (sizes.length >= 128) bytes += await sum(sizes.splice(0));
      }
    } catch {
      // The folder was removed while it was read.
    }
    bytes += await sum(sizes);
  }
  return bytes;
}

async function usedBytes(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  return (found?.blocks ?? 0) * blockBytes;
}

async function sum(sizes: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}

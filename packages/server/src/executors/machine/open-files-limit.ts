import { readFileSync } from "node:fs";

/**
 * How many files and connections this process may have open; undefined where it can't be known. Read early: with too many it could
 * not be read any more.
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

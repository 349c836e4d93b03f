import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Files of the kernel (/sys/fs/cgroup) have no disk behind them: opening, reading and setting a value takes microseconds. */
export function setKernelValue(path: string, value: string): void {
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

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Files of the kernel (/sys/fs/cgroup) have no disk behind them: opening, reading and setting a value takes microseconds. */
export function setKernelValue(path: string, value: string): void {
  // Never "w": where the file is not there, the place is not the kernel's, and a file of our own must not be made to look like it.
  const file = openSync(path, "r+");
  try {
    writeSync(file, value);
  } finally {
    closeSync(file);
  }
}

/** @returns whether it took the value */
export function trySetKernelValue(path: string, value: string): boolean {
  try {
    setKernelValue(path, value);
    return true;
  } catch {
    return false;
  }
}

/** @returns the text, or undefined when there is no such file or it can't be read */
export function readKernelValue(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

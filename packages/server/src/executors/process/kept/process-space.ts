import { readdirSync, readFileSync, statfsSync } from "node:fs";

/** What `statfs` says of a file system of processes. */
const processFiles = 0x9fa0;
const launcher = 1;

/**
 * All processes of the process space of a sandbox, by their numbers in it. Its own `/proc` has a handful of names, where that of the machine has
 * hundreds of folders to read; nobody inside can mount another one in its place. What starts its successor and ends is in the list, too: a
 * successor has a higher number, and is named later.
 * @param pid of a process in it
 * @returns undefined: it has no `/proc`, or can't be looked into
 */
export function listProcessSpace(pid: number): number[] | undefined {
  const folder = `/proc/${pid}/root/proc`;
  try {
    if (statfsSync(folder).type !== processFiles) return undefined;
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return undefined;
  }
}

/**
 * The process space of these processes, when it has them and the launcher and nothing else.
 * @param pids by their numbers on the machine
 */
export function findProcessSpace(pids: readonly number[]): number[] | undefined {
  const [first] = pids;
  const found = first === undefined ? undefined : listProcessSpace(first);
  const wanted = [launcher, ...pids.map(innerNumber)];
  return found?.length === wanted.length && wanted.every((number) => number !== undefined && found.includes(number)) ? found : undefined;
}

/** Of a process in its innermost process space; kernels before 4.1 don't say it. */
function innerNumber(pid: number): number | undefined {
  try {
    const [, number] = /^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}

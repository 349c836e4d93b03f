import { readdirSync, readFileSync, statfsSync } from "node:fs";

/** The type of a process file system in `statfs`. */
const processFiles = 0x9fa0;
const launcher = 1;

/**
 * All processes in the process namespace of a sandbox, by their numbers in it. Its own `/proc` has a handful of names, whereas that of the
 * machine has hundreds of folders to read; processes inside can't mount another one in its place. A process that starts its successor and
 * ends can't escape the list: the successor has a higher number, and is listed later.
 * @param pid of a process in it
 * @returns undefined: it has no `/proc`, or can't be inspected
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
 * The process namespace of these processes, if it contains them and the launcher and nothing else.
 * @param pids by their numbers on the machine
 */
export function findProcessSpace(pids: readonly number[]): number[] | undefined {
  const [first] = pids;
  const found = first === undefined ? undefined : listProcessSpace(first);
  const wanted = [launcher, ...pids.map(innerNumber)];
  return found?.length === wanted.length && wanted.every((number) => number !== undefined && found.includes(number)) ? found : undefined;
}

/** The number of a process in its innermost process namespace; kernels before 4.1 don't report it. */
function innerNumber(pid: number): number | undefined {
  try {
    const [, number] = /^NSpid:.*\s(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}

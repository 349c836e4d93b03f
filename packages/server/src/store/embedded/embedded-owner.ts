import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { StartError } from "../../base/error/start-error.ts";

/**
 * Records that this process wrote. A record with its own id that it did not write belongs to an earlier process: in each container the id
 * is 1.
 */
const writtenHere = new Set<string>();

/**
 * Which process runs the database of a data folder. The lock itself is the kernel's (flock), held by the server as long as any of its
 * processes lives; this record only distinguishes a second Millrace from a server that is still stopping after a crash. A process is
 * identified by its id, its start time and the boot that this time counts from, because ids are reused.
 */
function describeProcess(pid: number): string | undefined {
  const startedAt = readStartTime(pid);
  if (startedAt === undefined) return undefined;
  const boot = readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${pid} ${startedAt} ${boot}`.trim();
}

export function recordOwner(file: string): void {
  writeFileSync(file, `${describeProcess(process.pid)}\n`, { mode: 0o600 });
  writtenHere.add(file);
}

/** The id of the recorded process if it is still the same one, alive. */
export function findLiveOwner(file: string): number | undefined {
  const recorded = readText(file)?.trim();
  const pid = Number(recorded?.split(" ")[0]);
  if (!recorded || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (pid === process.pid && !writtenHere.has(file)) return undefined;
  const present = describeProcess(pid);
  // Records of earlier releases have no boot.
  return present === recorded || present?.split(" ").slice(0, 2).join(" ") === recorded ? pid : undefined;
}

export function refuseSecond(folder: string, owner: number | undefined): StartError {
  const who = owner === undefined ? "Another process" : `Another Millrace (process ${owner})`;
  return new StartError(`${who} is using the database in ${folder}. Stop it first, or set MILLRACE_DATA_DIR to a folder of its own`);
}

/**
 * The lock for systems without flock: a file that is linked into place with its owner already in it, so it is never seen empty. Returns
 * whether it was taken. The file of a dead owner is moved away, and put back if it turns out that the owner lives. In the moment between,
 * PostgreSQL's own postmaster.pid still prevents a second server.
 */
export function takeOwnLock(file: string): boolean {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, `${describeProcess(process.pid)}\n`, { mode: 0o600 });
  try {
    for (let tries = 0; tries < 10; tries++) {
      if (tryLink(mine, file)) {
        writtenHere.add(file);
        return true;
      }
      if (findLiveOwner(file) !== undefined) return false;
      moveAway(file, `${mine}.stale`);
    }
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

export function freeOwnership(file: string): void {
  if (findLiveOwner(file) === process.pid) rmSync(file, { force: true });
  writtenHere.delete(file);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function moveAway(file: string, to: string): void {
  try {
    renameSync(file, to);
  } catch {
    return;
  }
  if (findLiveOwner(to) !== undefined) tryLink(to, file);
  rmSync(to, { force: true });
}

/**
 * Clock ticks since boot on Linux; elsewhere a process is identified by its id alone. An ended process stays listed until its parent reaps
 * it, which some init processes do late (states Z and X): it does not count as alive.
 */
function readStartTime(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]/i.test(fields[0] ?? "") ? undefined : fields[19];
  }
  if (process.platform === "linux") return undefined;
  try {
    process.kill(pid, 0);
    return "0";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? "0" : undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

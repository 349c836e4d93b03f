// A lock between programs of this checkout: a folder that contains its owners' process IDs, renamed into place as a whole.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits until the lock is ours. A lock whose owners have all died is taken over.
 * @param {string} folder its parent must exist and be writable
 * @param {{onWait?: () => void, signal?: AbortSignal}} [options] onWait is called once if another process has it
 * @returns {Promise<{addOwner(pid: number): void, free(): void}>}
 */
export async function takeLock(folder, { onWait, signal } = {}) {
  let hasWaited = false;
  while (!tryTake(folder)) {
    if (isStale(folder)) {
      moveAway(folder);
      continue;
    }
    if (!hasWaited) onWait?.();
    hasWaited = true;
    await wait(100, undefined, { signal });
  }
  const owners = [process.pid];
  return {
    // The lock outlives this process as long as a program lives that was started under it.
    addOwner(pid) {
      owners.push(pid);
      writeFileSync(join(folder, "owners"), JSON.stringify(owners));
    },
    // Renamed first: a folder that is being emptied is one that another process could rename its own onto.
    free() {
      const aside = `${folder}.${process.pid}.free`;
      if (!existsSync(folder)) return;
      renameSync(folder, aside);
      rmSync(aside, { recursive: true, force: true });
    },
  };
}

/** A folder is renamed onto another only if that one is empty, and a lock never is. */
function tryTake(folder) {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "owners"), JSON.stringify([process.pid]));
  try {
    renameSync(draft, folder);
    return true;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (["EEXIST", "ENOTEMPTY", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

function isStale(folder) {
  return existsSync(folder) && !readOwners(folder).some(isAlive);
}

function readOwners(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "owners"), "utf8"));
  } catch {
    return [];
  }
}

/** Another process may have done so and taken the lock in the meantime: then it is put back. */
function moveAway(folder) {
  const aside = `${folder}.${process.pid}.stale`;
  try {
    renameSync(folder, aside);
    if (!isStale(aside)) renameSync(aside, folder);
  } catch {
    // The other process was faster; the next attempt checks again.
  }
  rmSync(aside, { recursive: true, force: true });
}

/** A process that has ended is listed until its parent reaps it, and can be signalled, but is not alive. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function isZombie(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

import type { Attempt } from "../folders/attempt-folder.ts";
import type { AttemptGroup } from "./control-groups/attempt-group.ts";
import { endProcessesOfUser } from "./end-users.ts";
import type { Level } from "./isolation/level.ts";
import {
  descendants,
  haltProcess,
  killUntilGone,
  type ProcessEntry,
  processesOfFolder,
  processesOfUser,
  readFreshTable,
  readProcessTable,
  signalProcess,
} from "./process-table.ts";

/** How the processes of one attempt are found and ended; the possible ways depend on the level and on the machine. */
export interface AttemptProcesses {
  /** All of the running step except those of the launcher. */
  find(root: number): Promise<number[]>;
  /** The same, from a table that is read after the call. */
  findFresh(root: number): Promise<number[]>;
  /** Resident memory of the running step in bytes, without processes that have left its tree. */
  countMemory(root: number): Promise<number>;
  killAll(root: number): Promise<void>;
  killLeftovers(): Promise<void>;
}

export function attemptProcesses(level: Level, attempt: Attempt, group: AttemptGroup | undefined, isOwnUser: boolean): AttemptProcesses {
  const below = async (root: number, read = readProcessTable): Promise<ProcessEntry[]> => {
    let parents = new Set([root]);
    let table = descendants(await read(), root);
    for (let depth = 1; depth < level.launcherDepth; depth++) {
      const own = table.filter((entry) => parents.has(entry.parent));
      table = table.filter((entry) => !parents.has(entry.parent));
      parents = new Set(own.map((entry) => entry.pid));
    }
    return table;
  };
  const ownUid = isOwnUser ? attempt.identity?.uid : undefined;
  /** Processes that left the tree: their parent ended, and process 1 of the machine adopted them. */
  const strays = async (): Promise<number[]> => {
    if (level.hasOwnProcesses) return [];
    if (group) return group.processes();
    return ownUid === undefined ? processesOfFolder(attempt.folder) : processesOfUser(ownUid);
  };
  const find = async (root: number, read = readProcessTable): Promise<number[]> => {
    const pids = [...(await below(root, read)).map((entry) => entry.pid), ...(await strays())];
    return [...new Set(pids)].filter((pid) => pid !== root);
  };
  const killEverything = async (root: number): Promise<void> => {
    if (group) await group.kill();
    else await killUntilGone(() => find(root));
    signalProcess(root, "SIGKILL");
  };
  return {
    find: (root) => find(root),
    findFresh: (root) => find(root, readFreshTable),
    countMemory: async (root) => (await below(root)).reduce((sum, entry) => sum + entry.residentBytes, 0),
    killAll: (root) => (level.hasOwnProcesses ? killProcessSpace(root) : killEverything(root)),
    async killLeftovers() {
      if (level.hasOwnProcesses) return;
      if (group) await group.kill();
      else if (ownUid !== undefined) await endProcessesOfUser(ownUid);
      else await killUntilGone(strays);
    },
  };
}

/**
 * The end of the first process inside ends all others, and the program of the sandbox then ends by itself. That program is halted first: if
 * it were killed after creating the first process but before making it end with its parent, that process would stay forever.
 */
async function killProcessSpace(root: number): Promise<void> {
  const children = await haltProcess(root);
  for (const pid of children) signalProcess(pid, "SIGKILL");
  signalProcess(root, children.length === 0 ? "SIGKILL" : "SIGCONT");
}

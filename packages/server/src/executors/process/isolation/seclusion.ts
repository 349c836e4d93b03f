import { release } from "node:os";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import { runTool } from "../../folders/run-tool.ts";
import { shellProgram } from "../../programs/shell-program.ts";
import type { Tools } from "./tools.ts";

/**
 * What a step has for itself although it sees the machine's own files: its own instances of the folders that everyone may write to, and
 * processes of other users are hidden. That takes mounts, and a machine where no better level works often allows none, so each part is
 * tested at the start.
 */
export interface Seclusion {
  /** The folders below, and queues and shared memory of System V. */
  hasOwnFolders: boolean;
  hidesProcesses: boolean;
}

/**
 * Folders that everyone may write to on any machine. One in memory is new for each step, the others are the attempt's folder for temporary
 * files.
 */
export const sharedFolders = ["/tmp", "/var/tmp", "/dev/shm"] as const;
const inMemory: readonly string[] = ["/dev/shm"];

const script = shellProgram("seclude");

/** Tests what works, with the same command that starts steps. @param temp a folder */
export async function findSeclusion(tools: Tools, temp: string): Promise<Seclusion> {
  const works = async (seclusion: Seclusion): Promise<boolean> => {
    // As for a step: a folder that contains its temporary files is left as it is, and the others can still be the step's own.
    const [file = "", ...args] = seclude(tools, seclusion, { temp, folders: ownFolders(seclusion, [temp]) }, ["/bin/true"]);
    return (await runTool(file, args)).code === 0;
  };
  const full = { hasOwnFolders: true, hidesProcesses: true };
  if (canHideProcesses(release()) && (await works(full))) return full;
  const foldersOnly = { hasOwnFolders: true, hidesProcesses: false };
  return (await works(foldersOnly)) ? foldersOnly : { hasOwnFolders: false, hidesProcesses: false };
}

/** Before Linux 5.8 such an option changes every /proc of the machine. */
export function canHideProcesses(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 8);
}

/** Run by root, which drops its rights only after it. */
export function seclude(
  { unshare, sh, mount }: Tools,
  { hasOwnFolders, hidesProcesses }: Seclusion,
  { temp, folders }: { temp: string; folders: readonly string[] },
  argv: readonly string[],
): string[] {
  if (!hasOwnFolders) return [...argv];
  const mounts = folders.flatMap((folder) => [inMemory.includes(folder) ? "memory" : "attempt", folder]);
  const own = [sh, "-c", script, "seclude", mount, temp, hidesProcesses ? "yes" : "no", ...mounts, "--", ...argv];
  return [unshare, "--mount", "--ipc", "--", ...own];
}

/** Folders that can be the step's own: those that don't contain anything that the step has to see at its path on the machine. */
export function ownFolders({ hasOwnFolders }: Seclusion, seen: readonly string[]): string[] {
  if (!hasOwnFolders) return [];
  return sharedFolders.filter((folder) => !seen.some((path) => isAtOrBelow(path, folder)));
}

/** A description for people. */
export function describeSeclusion(seclusion: Seclusion, seen: readonly string[]): string {
  const own = ownFolders(seclusion, seen);
  const shared = sharedFolders.filter((folder) => !own.includes(folder));
  const folders = [
    ...(own.length > 0 ? [`${own.join(", ")} are the attempt's own`] : []),
    ...(shared.length > 0 ? [`${shared.join(", ")} are shared, and emptied after each attempt`] : []),
  ];
  const processes = seclusion.hidesProcesses ? "other users' processes are hidden" : "the processes of the machine are visible";
  return [...folders, processes].join("; ");
}

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { systemPath } from "../../../base/process/system-path.ts";

const names = ["bwrap", "unshare", "setpriv", "mount", "umount", "pivot_root", "mkdir", "ln", "touch", "rmdir", "sh"] as const;

/**
 * Absolute paths of the programs that make a sandbox, found once, in the system's own folders: while one is being made nothing is looked
 * up by name, whatever has been mounted by then. A program that is not there has the path that it would have, which the trial at the start
 * then names.
 */
export type Tools = Readonly<Record<(typeof names)[number], string>>;

/** `unshare` ends as its child did, and fails where the child was killed: nobody can set an action for SIGKILL. */
export const wordsOfUnshare = "unshare: sigprocmask unblock failed: Invalid argument";

export function findTools(): Tools {
  return Object.fromEntries(names.map((name) => [name, findTool(name)])) as Tools;
}

function findTool(name: string): string {
  const paths = systemPath.split(":").map((folder) => join(folder, name));
  return paths.find(isExecutable) ?? `/usr/bin/${name}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

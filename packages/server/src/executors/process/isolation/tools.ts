import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { systemPath } from "../../../base/process/system-path.ts";

const names = ["bwrap", "unshare", "setpriv", "mount", "umount", "pivot_root", "mkdir", "ln", "touch", "rmdir", "sh"] as const;

/**
 * Absolute paths of the programs that create a sandbox, found once, in the system's own folders: while a sandbox is created nothing is
 * looked up by name, whatever was mounted in the meantime. A missing program gets the path that it would have, and the test at the start
 * then names it.
 */
export type Tools = Readonly<Record<(typeof names)[number], string>>;

/** `unshare` ends like its child, and fails if the child was killed: the action for SIGKILL can't be set. */
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

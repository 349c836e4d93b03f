import { realpath, stat } from "node:fs/promises";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import type { SystemFiles } from "./system-files.ts";

/**
 * What of the service lies in a folder of the machine that steps see: a data folder below /opt, a checkout in /usr/src/app. Something empty
 * is mounted over it.
 */
export interface Covers {
  folders: string[];
  files: string[];
}

/**
 * Takes private paths out of what steps see.
 * @param paths folders and files of the service, whether they are there or not
 */
export async function coverPrivatePaths(system: SystemFiles, paths: readonly string[]): Promise<{ system: SystemFiles; covers: Covers }> {
  const covers: Covers = { folders: [], files: [] };
  let { folders } = system;
  for (const path of new Set(paths)) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) continue;
    folders = folders.filter((folder) => !isAtOrBelow(folder, real));
    if (!folders.some((folder) => isAtOrBelow(real, folder))) continue;
    covers[(await stat(real)).isDirectory() ? "folders" : "files"].push(real);
  }
  // What lies below a covered folder is gone with it, and could not be mounted over any more.
  const isGone = (path: string): boolean => covers.folders.some((folder) => folder !== path && isAtOrBelow(path, folder));
  return {
    system: { ...system, folders },
    covers: { folders: covers.folders.filter((path) => !isGone(path)), files: covers.files.filter((path) => !isGone(path)) },
  };
}

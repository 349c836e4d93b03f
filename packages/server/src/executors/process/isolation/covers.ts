import { realpath, stat } from "node:fs/promises";
import { isAtOrBelow } from "../../../core/task/mount-paths.ts";
import type { SystemFiles } from "./system-files.ts";

/**
 * The files of the service in a folder of the machine that steps see: a data folder below /opt, a checkout in /usr/src/app. Something empty
 * is mounted over them.
 */
export interface Covers {
  folders: string[];
  files: string[];
}

/**
 * Hides private paths from what steps see.
 * @param paths files and folders of the service, whether they exist or not
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
  // What is below a covered folder is hidden with it, and could no longer be mounted over.
  const isGone = (path: string): boolean => covers.folders.some((folder) => folder !== path && isAtOrBelow(path, folder));
  return {
    system: { ...system, folders },
    covers: { folders: covers.folders.filter((path) => !isGone(path)), files: covers.files.filter((path) => !isGone(path)) },
  };
}

import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is not what runs
import { takeLock } from "../../../../../scripts/lock.mjs";
import { buildTaskRootfs, rootfsRecipe } from "./task-rootfs.ts";

/**
 * The image in which tests run steps: sh, bash, the usual tools, git, make, curl, python3 and this Node, built from packages of the system.
 */
export interface TaskImage {
  /** A root file system, for `docker import` and `podman import`; about 200 MB. */
  tar: string;
  name: string;
}

export const taskImageName = "localhost/millrace-test:1";

/** The image's configuration beside its files: options of `docker import` and `podman import`. */
export const taskImageChanges = [
  "--change",
  "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "--change",
  'CMD ["/bin/sh"]',
];

/**
 * The image, built on the first call on this machine and stored under a name that is derived from its recipe. Concurrent processes wait for
 * the one that builds. Rejects with the reason if it can't be built: no Debian tools, or no access to packages.
 */
export async function taskImage(): Promise<TaskImage> {
  return { tar: await cachedTar("task-image", rootfsRecipe(), buildTaskRootfs), name: taskImageName };
}

/**
 * @param kind first part of the file's name
 * @param recipe what it is built from; another recipe causes another build
 * @param build writes it to that path
 * @returns the path of the tar
 */
export async function cachedTar(kind: string, recipe: string, build: (tar: string) => Promise<void>): Promise<string> {
  const folder = cacheFolder();
  const tar = join(folder, `${kind}-${createHash("sha256").update(recipe).digest("hex").slice(0, 16)}.tar`);
  if (existsSync(tar)) return tar;
  const lock = await takeLock(`${tar}.lock`);
  try {
    if (!existsSync(tar)) {
      await build(`${tar}.draft`);
      await rename(`${tar}.draft`, tar);
    }
    for (const name of readdirSync(folder)) if (isOlder(folder, name)) rmSync(join(folder, name), { force: true });
  } finally {
    lock.free();
  }
  return tar;
}

/** Like `taskImage`, but returns the reason if there is none, for tests that are skipped then. */
export function taskImageOrWhy(): Promise<TaskImage | { why: string }> {
  return taskImage().catch((error: Error) => ({ why: `the image for tests can't be built: ${error.message}` }));
}

/** Removes images of other recipes that are more than a month old. Younger ones may be in use by another checkout. */
function isOlder(folder: string, name: string): boolean {
  if (!/^(task-image|service-base)-.*\.tar(\.draft)?$/.test(name)) return false;
  const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > 30 * 86_400_000;
}

/** A user without a writable home, such as `nobody`, uses the temporary folder. */
function cacheFolder(): string {
  const candidates = [
    join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "millrace"),
    join(tmpdir(), `millrace-cache-${process.getuid?.() ?? "any"}`),
  ];
  const usable = candidates.find(isUsable);
  if (usable === undefined) throw new Error(`no folder to keep it in: tried ${candidates.join(", ")}`);
  return usable;
}

function isUsable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

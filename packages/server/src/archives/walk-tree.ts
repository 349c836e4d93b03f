import { isUtf8 } from "node:buffer";
import type { BigIntStats, Dirent } from "node:fs";
import { type FileHandle, lstat, readlink } from "node:fs/promises";
import { openFile } from "../base/file/open-file.ts";
import { closeFolder, entryPath, type OpenFolder, openFolder, readFolder } from "../base/file/open-folder.ts";
import { type ArchiveLimits, NotArchivable } from "../engine/workspace-store.ts";

/**
 * An entry of a workspace. Folders come before their entries; the first one is the workspace itself, with an empty path.
 *
 * Steps wrote the tree, and one may be changing it now: the walk goes from descriptor to descriptor, follows no links and stays in
 * one file system. Entries that disappear meanwhile are left out.
 */
export interface TreeEntry {
  /** Relative to the workspace. */
  path: string;
  stat: BigIntStats;
  /** Target of a symbolic link. */
  target?: string;
  /** Opens a file for reading; undefined if it is no longer a file. The caller closes it. */
  open(): Promise<FileHandle | undefined>;
}

/** What Node returns for bytes of a name that are not UTF-8. */
const replacement = "\uFFFD";
/** Each level keeps one folder open. */
const maxDepth = 256;
/** Restoring uses whole paths, which the system limits to 4,096 bytes. */
const maxPathBytes = 3_500;

/** @throws NotArchivable, and system errors */
export async function* walkTree(root: string, limits: ArchiveLimits): AsyncGenerator<TreeEntry, void, undefined> {
  const walk = { limits, device: 0, files: 0, bytes: 0 };
  const folder = await openFolder(root, 0o500);
  walk.device = folder.device;
  try {
    yield { path: "", stat: await lstat(entryPath(folder, "."), { bigint: true }), open: nothing };
    yield* walkFolder(walk, folder, "", 1);
  } finally {
    closeFolder(folder);
  }
}

interface Walk {
  limits: ArchiveLimits;
  device: number;
  files: number;
  bytes: number;
}

async function* walkFolder(walk: Walk, folder: OpenFolder, path: string, depth: number): AsyncGenerator<TreeEntry, void, undefined> {
  if (depth > maxDepth) throw new NotArchivable(`"${shown(path)}" is deeper than ${maxDepth} folders`);
  const seen = new Set<string>();
  for (const { name } of await entriesOf(walk, folder)) {
    const at = path === "" ? name : `${path}/${name}`;
    // Beside a file whose name has the replacement character, another one whose name is not UTF-8 is found as that file.
    if (seen.has(name)) throw new NotArchivable(`the name "${shown(at)}" is not UTF-8`);
    if (name.includes(replacement)) seen.add(name);
    if (Buffer.byteLength(at) > maxPathBytes) throw new NotArchivable(`the path "${shown(at)}" is longer than ${maxPathBytes} bytes`);
    const stat = await statOf(folder, name, at);
    if (!stat) continue;
    if (stat.isDirectory()) yield* intoFolder(walk, folder, { name, at, depth, stat });
    else if (stat.isFile()) {
      walk.bytes += Number(stat.size);
      if (walk.bytes > walk.limits.bytes)
        throw new NotArchivable(`its files have more than ${walk.limits.bytes} bytes in total, including holes`);
      yield { path: at, stat, open: () => openFile(entryPath(folder, name)).catch(goneIsUndefined) };
    } else if (stat.isSymbolicLink()) {
      const target = await targetOf(folder, name, at);
      if (target !== undefined) yield { path: at, stat, target, open: nothing };
    } else yield { path: at, stat, open: nothing };
  }
}

async function* intoFolder(
  walk: Walk,
  above: OpenFolder,
  { name, at, depth, stat }: { name: string; at: string; depth: number; stat: BigIntStats },
): AsyncGenerator<TreeEntry, void, undefined> {
  const folder = await openFolder(entryPath(above, name), 0o500).catch(goneIsUndefined);
  if (!folder) return;
  try {
    if (folder.device !== walk.device) throw new NotArchivable(`another file system is mounted at "${shown(at)}"`);
    yield { path: at, stat, open: nothing };
    yield* walkFolder(walk, folder, at, depth + 1);
  } finally {
    closeFolder(folder);
  }
}

async function entriesOf(walk: Walk, folder: OpenFolder): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  await readFolder(
    folder,
    (entry) => {
      entries.push(entry);
      return ++walk.files <= walk.limits.files;
    },
    async () => {},
  );
  if (walk.files > walk.limits.files) throw new NotArchivable(`it contains more than ${walk.limits.files} files`);
  return entries;
}

async function statOf(folder: OpenFolder, name: string, path: string): Promise<BigIntStats | undefined> {
  const stat = await lstat(entryPath(folder, name), { bigint: true }).catch(goneIsUndefined);
  // Node returns names as text, so a file whose name is not UTF-8 cannot be found by it.
  if (!stat && name.includes(replacement)) throw new NotArchivable(`the name "${shown(path)}" is not UTF-8`);
  return stat;
}

async function targetOf(folder: OpenFolder, name: string, path: string): Promise<string | undefined> {
  const bytes = await readlink(entryPath(folder, name), { encoding: "buffer" }).catch(goneIsUndefined);
  if (bytes && !isUtf8(bytes)) throw new NotArchivable(`the target of the link "${shown(path)}" is not UTF-8`);
  return bytes?.toString("utf8");
}

async function nothing(): Promise<undefined> {}

function goneIsUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR" && error.code !== "ELOOP" && error.code !== "EINVAL" && error.code !== "ENXIO")
    throw error;
}

/** Shortens a long path in the middle. */
export function shown(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 100)}…${path.slice(-90)}`;
}

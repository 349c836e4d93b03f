import { statfs } from "node:fs/promises";
import type { StorageFolder } from "@millrace/contract/settings/storage.ts";
import type { Config } from "./config/read-config.ts";
import { measureTree } from "./executors/folders/measure-tree.ts";
import { workspacesDir } from "./open-worker.ts";

/** The most files that are counted in a folder, because it happens during a request. */
const countedFiles = 5_000;

/** The folders of this process that grow, with the free space of their disks, at each call. */
export function createFolderReader(config: Config): () => Promise<StorageFolder[]> {
  const folders = foldersOf(config);
  return async () => (await Promise.all(folders.map(readFolder))).filter((folder) => folder !== undefined);
}

type NamedFolder = Pick<StorageFolder, "kind" | "path">;

function foldersOf(config: Config): NamedFolder[] {
  const { database, roles, logStore, workspaceStore } = config;
  return [
    ...(database.kind === "embedded" ? [{ kind: "database", path: database.folder } as const] : []),
    ...(roles.includes("worker") ? [{ kind: "workspaces", path: workspacesDir(config) } as const] : []),
    ...(logStore?.kind === "folder" ? [{ kind: "logStore", path: logStore.path } as const] : []),
    ...(workspaceStore?.kind === "folder" ? [{ kind: "workspaceStore", path: workspaceStore.path } as const] : []),
  ];
}

/** Undefined if it doesn't exist: it is created when something is put into it. */
async function readFolder({ kind, path }: NamedFolder): Promise<StorageFolder | undefined> {
  const disk = await statfs(path).catch(() => undefined);
  if (disk === undefined) return undefined;
  const room = { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
  if (kind === "database") return { kind, path, bytes: null, isComplete: true, ...room };
  const { bytes, isComplete, isCut } = await measureTree(path, { bytes: Number.POSITIVE_INFINITY, files: countedFiles });
  return { kind, path, bytes, isComplete: isComplete && !isCut, ...room };
}

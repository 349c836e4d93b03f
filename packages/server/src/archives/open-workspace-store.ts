import type { WorkspaceStoreAddress } from "../config/parse-value.ts";
import type { WorkspaceStore } from "../engine/workspace-store.ts";
import { ArchiveStore, type ObjectStore } from "./archive-store.ts";
import { FolderStore } from "./folder-store.ts";

/** Does not connect yet. The AWS SDK is loaded only for buckets. */
export async function openWorkspaceStore(address: WorkspaceStoreAddress): Promise<WorkspaceStore> {
  return new ArchiveStore(await openObjects(address));
}

export async function openObjects(address: WorkspaceStoreAddress): Promise<ObjectStore> {
  if (address.kind === "folder") return new FolderStore(address.path);
  const { S3Store } = await import("./s3-store.ts");
  return new S3Store(address);
}

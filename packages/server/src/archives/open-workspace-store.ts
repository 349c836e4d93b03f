import type { WorkspaceStoreAddress } from "../config/parse-value.ts";
import type { WorkspaceStore } from "../engine/workspace-store.ts";
import { ArchiveStore } from "./archive-store.ts";
import { FolderStore } from "./folder-store.ts";

/** Does not connect yet. The AWS SDK is loaded only for buckets. */
export async function openWorkspaceStore(address: WorkspaceStoreAddress): Promise<WorkspaceStore> {
  if (address.kind === "folder") return new ArchiveStore(new FolderStore(address.path));
  const { S3Store } = await import("./s3-store.ts");
  return new ArchiveStore(new S3Store(address));
}

import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "./attempt-folder.ts";
import type { WatchedFolder } from "./folder-limits.ts";
import { defaultScratchBytes } from "./limit-watch.ts";
import { nothing, type TreeSize } from "./measure-tree.ts";
import { scratchFolders } from "./volume-folders.ts";

/**
 * The folders of this machine that an attempt may write to, with their limits.
 *
 * @param keepsReadOnly whether steps are prevented from writing to workspaces that are read-only for them
 */
export function watchedFolders(
  job: Job,
  attempt: Attempt,
  scratchBytes: number | undefined,
  sizes: WorkspaceSizes,
  keepsReadOnly = true,
): WatchedFolder[] {
  const scratch = {
    label: "its scratch folder",
    path: attempt.writable,
    limitBytes: scratchBytes ?? defaultScratchBytes,
    known: nothing,
    isTemporary: true,
  };
  const volumes = scratchFolders(job, attempt);
  const limited = volumes.flatMap(({ volume, paths: [path = "", ...parts] }) => {
    const limitBytes = volume?.scratch?.sizeLimitBytes;
    return limitBytes === undefined
      ? []
      : [{ label: `volume "${volume?.name}"`, path, parts, limitBytes, known: nothing, isTemporary: true, isPart: true }];
  });
  const workspaces = job.workspaces
    .filter((workspace) => !workspace.readOnly || !keepsReadOnly)
    .map(({ name, source, sizeLimitBytes }) => ({
      label: `workspace "${name}"`,
      path: source,
      limitBytes: sizeLimitBytes,
      known: sizes.get(source),
    }));
  return [{ ...scratch, parts: volumes.flatMap(({ paths }) => paths) }, ...limited, ...workspaces];
}

const maxRemembered = 10_000;

/** The sizes of workspaces when they were last measured here, by folder: only growth counts against a task. */
export class WorkspaceSizes {
  readonly #sizes = new BoundedCache<TreeSize>("workspace-sizes", { maxEntries: maxRemembered });

  get(folder: string): TreeSize | undefined {
    return this.#sizes.get(folder);
  }

  remember(folder: string, size: TreeSize | undefined): void {
    this.#sizes.delete(folder);
    // The size of a folder that was not counted to the end is unknown; the next attempt counts it again.
    if (size === undefined || !size.isComplete || size.isCut) return;
    this.#sizes.set(folder, size);
  }
}

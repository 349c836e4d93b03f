import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "./attempt-folder.ts";
import type { WatchedFolder } from "./folder-limits.ts";
import { defaultScratchBytes } from "./limit-watch.ts";
import { nothing } from "./measure-tree.ts";
import type { WorkspaceSizes } from "./workspace-sizes.ts";

/** The folders of this machine that an attempt may write to, with their limits. */
export function watchedFolders(job: Job, attempt: Attempt, scratchBytes: number | undefined, sizes: WorkspaceSizes): WatchedFolder[] {
  const scratch = {
    label: "its scratch folder",
    path: attempt.writable,
    limitBytes: scratchBytes ?? defaultScratchBytes,
    known: nothing,
    isTemporary: true,
  };
  const workspaces = job.workspaces
    .filter((workspace) => !workspace.readOnly)
    .map(({ name, source, sizeLimitBytes }) => ({
      label: `workspace "${name}"`,
      path: source,
      limitBytes: sizeLimitBytes,
      known: sizes.get(source),
    }));
  return [scratch, ...workspaces];
}

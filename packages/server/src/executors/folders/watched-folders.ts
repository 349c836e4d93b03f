import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "./attempt-folder.ts";
import { defaultScratchBytes, type WatchedFolder } from "./limit-watch.ts";
import type { WorkspaceSizes } from "./workspace-sizes.ts";

/** The folders of this machine that an attempt may write to, with their limits. */
export function watchedFolders(job: Job, attempt: Attempt, scratchBytes: number | undefined, sizes: WorkspaceSizes): WatchedFolder[] {
  const scratch = {
    label: "its scratch folder",
    path: attempt.writable,
    limitBytes: scratchBytes ?? defaultScratchBytes,
    knownBytes: 0,
    isTemporary: true,
  };
  const workspaces = job.workspaces
    .filter((workspace) => !workspace.readOnly)
    .map(({ name, source, sizeLimitBytes }) => ({
      label: `workspace "${name}"`,
      path: source,
      limitBytes: sizeLimitBytes,
      knownBytes: sizes.get(source),
    }));
  return [scratch, ...workspaces];
}

import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import type { WorkerFolder } from "../engine/worker.ts";
import type { WorkspaceArchiver } from "../engine/workspace-archiver.ts";

/** Retries failed saves of workspaces, for example while the store was unavailable. */
export function createWorkspaceArchiveService(archiver: Pick<WorkspaceArchiver, "saveMissing">, log: Log): Service {
  return new Loop({
    name: "workspace-archive",
    intervalMs: 30_000,
    log,
    round: async () => {
      await archiver.saveMissing();
      return undefined;
    },
  });
}

const retryMs = 2_000;
/** The longest possible timer: once the folder is open, there is nothing more to do. */
const neverMs = 2 ** 31 - 1;

/**
 * Opens the folder of workspaces of a worker that could not use it at the start, for example because its disk was full. Until then the
 * worker takes no tasks that share a workspace.
 */
export function createWorkspaceFolderService(folder: WorkerFolder, open: () => Promise<WorkerFolder>, log: Log): Service {
  return new Loop({
    name: "workspace-folder",
    intervalMs: retryMs,
    log,
    round: async () => {
      if (folder.place !== undefined) return neverMs;
      // The start has logged why it failed.
      const opened = await open().catch(() => undefined);
      if (opened === undefined) return retryMs;
      Object.assign(folder, opened);
      log.info({ folder: opened.place?.path }, "the workspace folder can be used again");
      return neverMs;
    },
  });
}

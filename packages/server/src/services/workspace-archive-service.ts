import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import type { WorkspaceArchiver } from "../engine/workspace-archiver.ts";

/** Repeats saves of workspaces that failed, for example while the store was unavailable. */
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

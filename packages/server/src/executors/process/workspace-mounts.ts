import { closeSync, constants, openSync } from "node:fs";
import type { Job } from "../../engine/executor.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { workspaceTarget } from "../steps/view.ts";

/**
 * How workspaces get into the view of a step, on every level that mounts. The rule: **no source and no target of a mount is
 * resolved through anything that a step can write.**
 *
 * - A source is opened right before the step without following a link: here, so that one that is no folder is named, and where the program
 *   of the sandbox takes descriptors once more by the spawner, which hands on the open folder itself. The folders above it belong to the
 *   service. Other programs get the path, which can't lead elsewhere by then.
 * - A target is a folder that the service makes in the fresh root of the sandbox, before anything that a step can write is mounted. Targets
 *   never lie in each other (core/task/mount-paths.ts), so none is looked up in the workspace of another one.
 * - No target lies in the home of the attempt: its steps write there, and can hand the open folder to a task of their team that runs at the
 *   same time, through a workspace that both share. That one could exchange the target for a link at any moment.
 */
export interface FolderMount {
  source: string;
  target: string;
  readOnly: boolean;
}

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * @param job checked by `checkJob` (run-attempt.ts)
 * @throws ELOOP and the like as Node says them
 */
export function checkWorkspaceMounts(job: Pick<Job, "workspaces">): FolderMount[] {
  return job.workspaces.map(({ name, source, mountPath, readOnly }) => {
    const place = workspaceTarget(mountPath);
    if ("problem" in place) throw new StepProblem(`workspace "${name}" can't be mounted: ${place.problem}`);
    closeSync(openSync(source, openFolder));
    return { source, target: place.target, readOnly };
  });
}

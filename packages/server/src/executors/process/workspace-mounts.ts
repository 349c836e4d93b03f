import { closeSync, constants, openSync } from "node:fs";
import type { Job } from "../../engine/executor.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { workspaceTarget } from "../steps/view.ts";

/**
 * How workspaces are mounted for a step, on every level with mounts. The rule: **no source and no target of a mount is resolved through
 * anything that a step can write to.**
 *
 * - A source is opened right before the step without following links: here, so that one that is not a folder can be reported, and, if the
 *   program of the sandbox takes descriptors, again by the spawner, which passes on the open folder itself. Its parent folders belong to
 *   the service. Other programs get the path, which can't lead elsewhere by then.
 * - A target is a folder that the service creates in the fresh root of the sandbox, before anything that a step can write to is mounted.
 *   Targets are never inside each other (core/task/mount-paths.ts), so none is looked up in the workspace of another one.
 * - No target is inside the home of the attempt: its steps write there, and can pass the open folder to a task of their team that runs at
 *   the same time, through a workspace that both share. That task could replace the target with a link at any moment.
 */
export interface FolderMount {
  source: string;
  target: string;
  readOnly: boolean;
}

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * @param job checked by `checkJob` (run-attempt.ts)
 * @throws ELOOP and similar errors of Node
 */
export function checkWorkspaceMounts(job: Pick<Job, "workspaces">): FolderMount[] {
  return job.workspaces.map(({ name, source, mountPath, readOnly }) => {
    const place = workspaceTarget(mountPath);
    if ("problem" in place) throw new StepProblem(`workspace "${name}" can't be mounted: ${place.problem}`);
    closeSync(openSync(source, openFolder));
    return { source, target: place.target, readOnly };
  });
}

import { closeSync, constants, openSync } from "node:fs";
import type { Job } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import { makeInnerFolder } from "../folders/make-inner-folder.ts";
import { workspaceTarget } from "../steps/sandbox-view.ts";
import { StepProblem } from "../steps/step-problem.ts";

/**
 * How workspaces get into the view of a step, on every level that mounts. The rule: **no source and no target of a mount is resolved through
 * anything that a step can write.**
 *
 * - A source is opened here, right before the step, without following a link. The folders above it belong to the service. Where the program
 *   of the sandbox takes descriptors, it gets the open folder itself; otherwise the path, which can't lead elsewhere by then.
 * - A target is a folder that the service makes in the fresh root of the sandbox, before anything that a step can write is mounted. Targets
 *   never lie in each other (core/mount-paths.ts), so none is looked up in the workspace of another one.
 * - The one exception is the home of the attempt, which earlier steps of the same attempt may have filled. A target in it is walked to and
 *   made here, part by part and without following links, while no process of the attempt is alive.
 */
export interface WorkspaceMount {
  source: string;
  /** Of the open source, in this process. */
  descriptor: number;
  target: string;
  /** The target is in the folder that the steps write to, and is there already. */
  isWithinTask: boolean;
  readOnly: boolean;
}

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** @throws StepProblem when a link or a file is in the way, EEXIST and the like as Node says them */
export async function openWorkspaceMounts(job: Pick<Job, "workspaces">, attempt: Attempt): Promise<WorkspaceMount[]> {
  const mounts: WorkspaceMount[] = [];
  try {
    for (const { name, source, mountPath, readOnly } of job.workspaces) {
      const place = workspaceTarget(mountPath);
      if ("problem" in place) throw new StepProblem(`workspace "${name}" can't be mounted: ${place.problem}`);
      const { target, withinTask } = place;
      if (withinTask !== undefined && !(await makeInnerFolder(attempt.writable, withinTask, attempt.identity)))
        throw new StepProblem(`workspace "${name}" can't be mounted at ${mountPath}: an earlier step left a link or a file there`);
      mounts.push({ source, descriptor: openSync(source, openFolder), target, isWithinTask: withinTask !== undefined, readOnly });
    }
    return mounts;
  } catch (error) {
    closeWorkspaceMounts(mounts);
    throw error;
  }
}

export function closeWorkspaceMounts(mounts: readonly WorkspaceMount[]): void {
  for (const { descriptor } of mounts) closeSync(descriptor);
}

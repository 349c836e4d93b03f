import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, userFolders } from "../folders/attempt-folder.ts";
import { homeMount, volumeMounts } from "../folders/volume-folders.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { homeFolder, homeLink, sandboxPlaces, terminationPath } from "../steps/view.ts";
import { terminationFile } from "./attempt-folders.ts";

/** A folder or a file of this machine that a container sees. Only the attempt's own and its workspaces ever are. */
export interface StepMount {
  source: string;
  target: string;
  isReadOnly: boolean;
}

/**
 * Names that a sandbox has as links are mounts of the same folders here: nothing can be linked in a root that is read-only.
 *
 * The engine looks every source up again for every step, as root or as the service's own user. So no source lies in a folder that a
 * step can write to: the task's folder is shown read-only, and each of the folders in it is a mount of its own. Otherwise a step
 * could put a link to any folder of the machine in the place of one of them, and the next step would find that folder mounted.
 */
export function stepMounts(job: Job, attempt: Attempt, step: Pick<JobStep, "mounts">): StepMount[] {
  const { taskFolder, fixedFolder, links } = sandboxPlaces;
  const parts = userFolders(attempt).map((folder) => `${taskFolder}${folder.slice(attempt.writable.length)}`);
  const places = [...[taskFolder, ...parts, fixedFolder].map((path) => ({ path, target: path })), ...links];
  const own = places.map(({ path, target }) => {
    const isReadOnly = target === taskFolder || target.startsWith(fixedFolder);
    const isFixed = target.startsWith(fixedFolder);
    const source = isFixed ? attempt.fixed + target.slice(fixedFolder.length) : attempt.writable + target.slice(taskFolder.length);
    return { source, target: path, isReadOnly };
  });
  own.push({ source: terminationFile(attempt), target: terminationPath, isReadOnly: false });
  const home = homeMount(job, attempt, step);
  const atHome = ({ target }: StepMount) => (target === homeFolder || target === homeLink ? home : undefined);
  const workspaces = job.workspaces.map(({ source, mountPath, readOnly }) => ({
    source,
    target: mountPath.replace(/\/+$/, ""),
    isReadOnly: readOnly,
  }));
  const volumes = volumeMounts(job, attempt, step);
  const taken = new Set(workspaces.map(({ target }) => target));
  return [...own.filter(({ target }) => !taken.has(target)).map((mount) => ({ ...mount, ...atHome(mount) })), ...workspaces, ...volumes];
}

/**
 * As the engine takes them. Docker's `Mounts` fail where a folder is not there; Podman turns them into a line with commas and loses
 * paths that hold one, so it gets the older form, which has colons.
 *
 * @throws StepProblem where Podman can't be given a path
 */
export function mountOptions(kind: "docker" | "podman", mounts: readonly StepMount[]): object {
  if (kind === "docker")
    return {
      Mounts: mounts.map(({ source, target, isReadOnly }) => ({ Type: "bind", Source: source, Target: target, ReadOnly: isReadOnly })),
    };
  const odd = mounts.flatMap(({ source, target }) => [source, target]).find((path) => path.includes(":"));
  if (odd !== undefined) throw new StepProblem(`${odd} can't be mounted: Podman supports no paths with a colon`);
  return { Binds: mounts.map(({ source, target, isReadOnly }) => `${source}:${target}:${isReadOnly ? "ro" : "rw"}`) };
}

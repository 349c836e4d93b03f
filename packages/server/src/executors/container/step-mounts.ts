import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, userFolders } from "../folders/attempt-folder.ts";
import { homeMount, volumeMounts } from "../folders/volume-folders.ts";
import { StepProblem } from "../steps/step-problem.ts";
import { homeFolder, homeLink, sandboxPlaces, terminationPath } from "../steps/view.ts";
import { terminationFile } from "./attempt-folders.ts";

/** A folder or a file of this machine that a container sees: only the attempt's own ones and its workspaces. */
export interface StepMount {
  source: string;
  target: string;
  isReadOnly: boolean;
}

/**
 * What a sandbox has as links are mounts of the same folders here: links can't be created in a read-only root.
 *
 * The engine looks up every source again for every step, as root or as the service's own user. So no source is inside a folder that a step
 * can write to: the task's folder is mounted read-only, and each of the folders in it is a separate mount. Otherwise a step could replace
 * one of them with a link to any folder of the machine, and the next step would find that folder mounted.
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
 * In the engine's format. Docker's `Mounts` fail if a folder does not exist; Podman converts them to a line with commas and loses paths
 * that contain one, so Podman gets the older format, which uses colons.
 *
 * @throws StepProblem if a path can't be passed to Podman
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

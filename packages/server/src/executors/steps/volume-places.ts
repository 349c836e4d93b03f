import { describeMountConflict, findMountConflict, isAtOrBelow, type NamedMount } from "../../core/task/mount-paths.ts";
import type { JobVolume } from "../../core/task/tekton/volumes/volume-mounts.ts";
import type { Job } from "../../engine/executor.ts";
import { StepProblem } from "./step-problem.ts";
import { homeFolder, workspaceTarget } from "./view.ts";

/**
 * The files that a mount of a volume with files shows.
 * @throws StepProblem if there is no such part
 */
export function partOfFiles({ name, files = [] }: JobVolume, subPath: string | undefined): "file" | "folder" {
  if (subPath !== undefined && files.some(({ path }) => path === subPath)) return "file";
  if (subPath === undefined || files.some(({ path }) => path.startsWith(`${subPath}/`))) return "folder";
  throw new StepProblem(`the volume ${name} has no ${subPath}, which a step mounts as subPath`);
}

/**
 * Why the volumes of a job can't be mounted at their paths, apart from general faults of a path
 * (core/task/tekton/volumes/volume-mounts.ts).
 * @param shown folders of the machine that steps see, if they have no image; undefined: they have one
 * @returns as a sentence for people; undefined: nothing
 */
export function volumesProblem(job: Pick<Job, "steps" | "sidecars" | "workspaces">, shown?: readonly string[]): string | undefined {
  const workspaces = job.workspaces.flatMap(({ name, mountPath }): NamedMount[] => {
    const place = workspaceTarget(mountPath);
    return "target" in place ? [{ name, path: place.target }] : [];
  });
  const programs = [
    ...job.steps.map(({ name, mounts = [] }) => ({ who: `step "${name}"`, mounts })),
    ...(job.sidecars ?? []).map(({ name, mounts = [] }) => ({ who: `sidecar "${name}"`, mounts })),
  ];
  for (const { who, mounts } of programs) {
    for (const { volume, path } of mounts) {
      const place = shown && !isAtOrBelow(path, homeFolder) ? workspaceTarget(path, shown) : { target: path };
      if ("problem" in place) return `${who} can't mount the volume ${volume}: ${place.problem}`;
    }
    const volumes = mounts.map(({ volume, path }) => ({ name: volume, path }));
    const conflict = findMountConflict([...workspaces, ...volumes]);
    if (conflict) return `${who}: ${describeMountConflict(conflict, "workspaces and volumes")}`;
  }
  return undefined;
}

import type { JobSidecar } from "../../../core/task/tekton/sidecars/job-sidecars.ts";
import type { Job } from "../../../engine/executor.ts";
import { type Attempt, makeShared, makeWritable } from "../../folders/attempt-folder.ts";
import { volumeMounts } from "../../folders/volume-folders.ts";
import { sandboxPlaces } from "../../steps/view.ts";
import type { StepMount } from "../step-mounts.ts";

/**
 * A sidecar has its own working folder, home and folder for temporary files, separate from those of the steps, so that neither can put a
 * link where the other has something mounted. They count as scratch. Of the attempt's folders it sees scripts and parameters, and its own
 * workspaces and volumes.
 */
const parts = ["work", "home", "tmp"] as const;

function sidecarFolder({ writable }: Attempt, index: number): string {
  return `${writable}/sidecar-${index}`;
}

/** What sidecars write to. */
export function sidecarFolders({ sidecars = [] }: Pick<Job, "sidecars">, attempt: Attempt): string[] {
  return sidecars.flatMap((_, index) => parts.map((part) => `${sidecarFolder(attempt, index)}/${part}`));
}

/** Called before the first of them starts. */
export function openSidecarFolders(job: Pick<Job, "sidecars">, attempt: Attempt): void {
  for (const index of (job.sidecars ?? []).keys()) makeShared(sidecarFolder(attempt, index), attempt.identity);
  for (const folder of sidecarFolders(job, attempt)) makeWritable(folder, attempt.identity);
}

/** @param index among the sidecars */
export function sidecarMounts(job: Job, attempt: Attempt, sidecar: JobSidecar, index: number): StepMount[] {
  const { taskFolder, fixedFolder, links, volumesFolder } = sandboxPlaces;
  const root = sidecarFolder(attempt, index);
  const sourceOf = (target: string): string =>
    target.startsWith(fixedFolder) ? attempt.fixed + target.slice(fixedFolder.length) : root + target.slice(taskFolder.length);
  const places = [
    ...[taskFolder, ...parts.map((part) => `${taskFolder}/${part}`), fixedFolder].map((path) => ({ path, target: path })),
    ...links,
  ];
  const own = places
    .filter(({ target }) => target !== `${taskFolder}/results`)
    .map(({ path, target }) => ({
      source: sourceOf(target),
      target: path,
      isReadOnly: target === taskFolder || target.startsWith(fixedFolder),
    }));
  const workspaces = job.workspaces
    .filter(({ name }) => sidecar.workspaces?.includes(name) ?? true)
    .map(({ source, mountPath, readOnly }) => ({ source, target: mountPath.replace(/\/+$/, ""), isReadOnly: readOnly }));
  // The links in the home of the steps lead there.
  const volumes = volumeMounts(job, attempt, sidecar).filter(({ target }) => !target.startsWith(`${volumesFolder}/`));
  const taken = new Set(workspaces.map(({ target }) => target));
  return [...own.filter(({ target }) => !taken.has(target)), ...workspaces, ...volumes];
}

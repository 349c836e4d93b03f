import type { Job } from "../../engine/executor.ts";

/** With these labels a container is found again, also by another process. Names follow Docker's rule: a reversed domain name. */
export const labelNames = {
  instance: "dev.millrace.instance",
  owner: "dev.millrace.owner",
  team: "dev.millrace.team",
  run: "dev.millrace.run",
  taskRun: "dev.millrace.task-run",
  attempt: "dev.millrace.attempt",
  step: "dev.millrace.step",
  folder: "dev.millrace.folder",
} as const;

interface Belonging {
  instance: string;
  owner: { name: string };
}

export function baseLabels({ instance, owner }: Belonging): Record<string, string> {
  return { [labelNames.instance]: instance, [labelNames.owner]: owner.name };
}

/** An engine adds the labels of an image to those of a container, except where the container has its own. */
export function withoutLabelsOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** @param folder name of the attempt's folder, @param step index of the step, from 0; for a sidecar, `sidecarPlace` */
export function stepLabels(belonging: Belonging, job: Job, folder: string, step: number): Record<string, string> {
  return {
    ...baseLabels(belonging),
    [labelNames.team]: job.teamId,
    [labelNames.run]: job.runId,
    [labelNames.taskRun]: job.taskRunId,
    [labelNames.attempt]: String(job.attempt),
    [labelNames.step]: String(step),
    [labelNames.folder]: folder,
  };
}

/** The number of a sidecar in labels and names, by its index among the sidecars. */
export function sidecarPlace(index: number): number {
  return -2 - index;
}

/** @returns undefined if it is not that of a sidecar */
export function sidecarOfPlace(place: number): number | undefined {
  return place <= -2 ? -2 - place : undefined;
}

/** The folder that a container says it belongs to. Anything that could be a path is ignored, because folders are removed by that name. */
export function folderOf(labels: Readonly<Record<string, string>>): string | undefined {
  const name = labels[labelNames.folder] ?? "";
  return /^[\w-]+$/.test(name) ? name : undefined;
}

/** Labels of the container whose network the steps of an attempt share: its index is before all steps. */
export function holderLabels(belonging: Belonging, job: Job, folder: string): Record<string, string> {
  return stepLabels(belonging, job, folder, -1);
}

export function holderName({ instance }: Belonging, folder: string): string {
  return `millrace-${instance.slice(0, 8)}-${folder}-network`;
}

/** Derived from the attempt and the step: a worker that creates it again because it got no response finds the first one. */
export function containerName({ instance }: Belonging, folder: string, step: number): string {
  const sidecar = sidecarOfPlace(step);
  return `millrace-${instance.slice(0, 8)}-${folder}-${sidecar === undefined ? step + 1 : `sidecar-${sidecar + 1}`}`;
}

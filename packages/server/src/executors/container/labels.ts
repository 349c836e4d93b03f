import type { Job } from "../../engine/executor.ts";

/** By these a container is found again, by another process too. Names follow Docker's rule: a domain turned around. */
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

/** An engine adds the labels of an image to those of a container, except where the container has them itself. */
export function withoutLabelsOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** @param folder name of the attempt's folder, @param step its place among the steps, from 0; of a sidecar `sidecarPlace` */
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

/** The place of a sidecar in labels and names, by its place among the sidecars. */
export function sidecarPlace(index: number): number {
  return -2 - index;
}

/** @returns undefined: it is that of no sidecar */
export function sidecarOfPlace(place: number): number | undefined {
  return place <= -2 ? -2 - place : undefined;
}

/** The folder that a container says it belongs to. What could be a path is none: folders are removed by that name. */
export function folderOf(labels: Readonly<Record<string, string>>): string | undefined {
  const name = labels[labelNames.folder] ?? "";
  return /^[\w-]+$/.test(name) ? name : undefined;
}

/** Of the container whose network the steps of an attempt share: it comes before all steps. */
export function holderLabels(belonging: Belonging, job: Job, folder: string): Record<string, string> {
  return stepLabels(belonging, job, folder, -1);
}

export function holderName({ instance }: Belonging, folder: string): string {
  return `millrace-${instance.slice(0, 8)}-${folder}-network`;
}

/** Follows from the attempt and the step: a worker that creates it again, since it got no answer, finds the first. */
export function containerName({ instance }: Belonging, folder: string, step: number): string {
  const sidecar = sidecarOfPlace(step);
  return `millrace-${instance.slice(0, 8)}-${folder}-${sidecar === undefined ? step + 1 : `sidecar-${sidecar + 1}`}`;
}

// Paths that steps see: those that references name, and the parts of volumes.

import { describeMountConflict, findMountConflict, isAtOrBelow, type NamedMount } from "../../core/task/mount-paths.ts";
import type { JobVolume } from "../../core/task/tekton/volumes/volume-mounts.ts";
import type { Job, PlacedJob } from "../../engine/executor.ts";
import { stepFiles } from "./step-command.ts";
import { StepProblem } from "./step-problem.ts";
import type { View } from "./view.ts";
import { homeFolder, workspaceTarget } from "./view.ts";

/**
 * Paths that only the executor knows. It is asked while parameters are resolved, so text from outside is never replaced.
 * @param words of the reference: `["results", "NAME", "path"]`; undefined: not known here
 */
export function resolvePlace(words: readonly string[], job: PlacedJob, view: View): string | undefined {
  const [root = "", ...rest] = words;
  // Names may contain dots: the end of the reference counts.
  const path = rest.join(".");
  const cut = path.lastIndexOf(".");
  const [name, member] = [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)];
  switch (root) {
    case "results":
      return name !== "" && member === "path" ? `${view.results}/${name}` : undefined;
    case "workspaces":
      return name === "" ? undefined : resolveWorkspace(name, member, job, view);
    case "steps":
      return resolveExitCode(path, view);
    case "credentials":
      return path === "path" ? view.home : undefined;
    case "context":
      return resolveContext(path, job, view);
    default:
      return undefined;
  }
}

/** The path of a workspace that was not bound is empty, as in Tekton. */
function resolveWorkspace(name: string, member: string, job: PlacedJob, view: View): string | undefined {
  const workspace = job.workspaces.find((candidate) => candidate.name === name);
  if (member === "bound") return String(workspace !== undefined);
  if (member === "path") return workspace === undefined ? "" : view.workspace(workspace);
  return member === "claim" || member === "volume" ? "" : undefined;
}

/** As in Tekton, where the container of a step is named step-NAME. */
function resolveExitCode(path: string, view: View): string | undefined {
  const step = /^(?:step-)?(.+)\.exitCode\.path$/.exec(path)?.[1];
  return step === undefined ? undefined : `${view.steps}/${stepFiles(step).exitCode}`;
}

function resolveContext(path: string, job: PlacedJob, view: View): string | undefined {
  switch (path) {
    case "task.name":
      return job.name;
    case "taskRun.name":
    case "taskRun.uid":
      return job.taskRunId;
    case "taskRun.namespace":
    case "pipelineRun.namespace":
      return job.teamId;
    case "pipelineRun.name":
    case "pipelineRun.uid":
      return job.runId;
    case "task.retry-count":
      return String(Math.max(0, job.attempt - 1));
    case "node.path":
      return view.node;
    case "programs.path":
      return view.programs;
    default:
      return undefined;
  }
}

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

import { systemPath } from "../../base/process/system-path.ts";
import {
  canonicalMountPath,
  describeMountConflict,
  findMountConflict,
  isAtOrBelow,
  mountPathFault,
  type NamedMount,
} from "../../core/task/mount-paths.ts";
import type { JobWorkspace } from "../../engine/executor.ts";

/** The paths of one attempt as its steps see them. */
export interface View {
  work: string;
  /** Empty: there are none. */
  results: string;
  params: string;
  home: string;
  temp: string;
  /** Folder of the step files: script and environment. */
  steps: string;
  /** Undefined: steps bring their own, or have none. */
  node: string | undefined;
  programs: string | undefined;
  /** The variable PATH; undefined: that of the image. */
  path: string | undefined;
  workspace(workspace: JobWorkspace): string;
}

/** Paths for a step with its own file system, always the same. */
const taskFolder = "/task";
const fixedFolder = "/run/millrace/task";
const nodePath = "/run/millrace/bin/node";
/** Not its path on the machine, where the sandbox may show something else. */
const programsFolder = "/run/millrace/programs";
/** Volumes in the home of steps, which contains links to here. */
const volumesFolder = "/run/millrace/volumes";

/** Names that programs and Tekton documents expect. */
const links = [
  { path: "/params", target: `${fixedFolder}/params` },
  { path: "/data", target: `${taskFolder}/work` },
  { path: "/tekton/results", target: `${taskFolder}/results` },
  { path: "/tekton/home", target: `${taskFolder}/home` },
  { path: "/tmp", target: `${taskFolder}/tmp` },
  { path: "/var/tmp", target: `${taskFolder}/tmp` },
];

/**
 * The termination message of a Tekton step: `git-init` and other programs of the catalogue fail if they can't write it. It is never read: a
 * step's results are in their own files. This is a file and not a folder, so it is not a link of the list above.
 */
export const terminationPath = "/tekton/termination";

/** In a file system with links, the first program that writes to it creates it. */
export const terminationLink = { path: terminationPath, target: `${taskFolder}/tmp/termination` } as const;

export const sandboxPlaces = { taskFolder, fixedFolder, nodePath, programsFolder, volumesFolder, links } as const;

export function sandboxView(hasPrograms: boolean): View {
  return {
    work: `${taskFolder}/work`,
    results: `${taskFolder}/results`,
    home: `${taskFolder}/home`,
    temp: `${taskFolder}/tmp`,
    params: `${fixedFolder}/params`,
    steps: `${fixedFolder}/steps`,
    node: nodePath,
    programs: hasPrograms ? programsFolder : undefined,
    path: `${systemPath}:/run/millrace/bin`,
    workspace: (workspace) => canonicalMountPath(workspace.mountPath),
  };
}

/** Folders that belong to the sandbox, in an image too: no workspace may be at, below or above them. */
const taken = [
  ...["/bin", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin", "/sys", "/usr"],
  ...[taskFolder, terminationPath, ...links.map(({ path }) => path)],
];
/** The home of steps; an engine can mount into it, since it creates the mount point in a root of its own. */
export const homeFolder = `${taskFolder}/home`;
export const homeLink = "/tekton/home";

/** Canonical path in the sandbox, or what is wrong with the requested one. */
type WorkspaceTarget = { target: string } | { problem: string };

/** @param shown folders that this executor uses for something else, in addition to those of the sandbox */
export function workspaceTarget(mountPath: string, shown: readonly string[] = []): WorkspaceTarget {
  const fault = mountPathFault(mountPath);
  if (fault !== undefined) return { problem: `its mount path ${JSON.stringify(mountPath)} ${fault}` };
  const path = canonicalMountPath(mountPath);
  const target = isAtOrBelow(path, homeLink) ? homeFolder + path.slice(homeLink.length) : path;
  const others = isAtOrBelow(target, homeFolder) ? shown : [...taken, ...shown];
  const owner = others.find((folder) => isAtOrBelow(target, folder) || isAtOrBelow(folder, target));
  if (owner === undefined) return { target };
  return {
    problem: `its mount path ${mountPath} is at, below or above ${owner}, which belongs to the sandbox; use one like /workspace/source`,
  };
}

/**
 * @param shown additional folders of the machine that the steps see
 * @returns what is wrong with the mount paths of a job's workspaces, as a sentence for people; undefined: nothing
 */
export function workspacesProblem(
  workspaces: readonly Pick<JobWorkspace, "name" | "mountPath">[],
  shown: readonly string[] = [],
): string | undefined {
  const mounts: NamedMount[] = [];
  for (const { name, mountPath } of workspaces) {
    const found = workspaceTarget(mountPath, shown);
    if ("problem" in found) return `workspace "${name}" can't be mounted: ${found.problem}`;
    mounts.push({ name, path: found.target });
  }
  const conflict = findMountConflict(mounts);
  return conflict && describeMountConflict(conflict);
}

/** The view of a step in its own image: the paths of the sandbox, and only the programs of the image. */
export const imageView: View = { ...sandboxView(false), node: undefined, path: undefined };

/** The view of a sidecar: its folders are its own, and it has no results. */
export const sidecarView: View = { ...imageView, results: "" };

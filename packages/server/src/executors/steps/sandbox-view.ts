import type { View } from "./view.ts";
import { systemPath } from "./view.ts";

/** Where things lie for a step with a file system of its own, always the same. */
const taskFolder = "/task";
const fixedFolder = "/run/millrace/task";
const nodePath = "/run/millrace/bin/node";
/** Not where they lie on the machine: that may be a place that the sandbox has something else at. */
const programsFolder = "/run/millrace/programs";

/** Names that programs and Tekton documents expect. */
const links = [
  { path: "/params", target: `${fixedFolder}/params` },
  { path: "/data", target: `${taskFolder}/work` },
  { path: "/tekton/results", target: `${taskFolder}/results` },
  { path: "/tekton/home", target: `${taskFolder}/home` },
  { path: "/tmp", target: `${taskFolder}/tmp` },
  { path: "/var/tmp", target: `${taskFolder}/tmp` },
];

export const sandboxPlaces = { taskFolder, fixedFolder, nodePath, programsFolder, links } as const;

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
    workspace: (workspace) => workspace.mountPath,
  };
}

/** Folders of a sandbox that a workspace may not cover. */
const taken = [
  "/",
  "/bin",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/params",
  "/proc",
  "/run",
  "/sbin",
  "/sys",
  "/task",
  "/tmp",
  "/usr",
];

/** @returns what is wrong with the place where the steps should see a workspace, or undefined */
export function workspaceProblem(mountPath: string): string | undefined {
  if (!mountPath.startsWith("/") || /\/\.{0,2}(\/|$)/.test(mountPath) || mountPath.includes("\0"))
    return `its mount path ${JSON.stringify(mountPath)} is not an absolute path without . and .., like /workspace/source`;
  const top = `/${mountPath.split("/")[1]}`;
  return taken.includes(top)
    ? `its mount path ${mountPath} lies in ${top}, which belongs to the sandbox; use one like /workspace/source`
    : undefined;
}

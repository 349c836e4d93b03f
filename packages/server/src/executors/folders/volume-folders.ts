import { chmodSync, chownSync, lchownSync, mkdirSync, rmdirSync, symlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAtOrBelow } from "../../core/task/mount-paths.ts";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { JobMount, JobVolume } from "../../core/task/tekton/volumes/volume-mounts.ts";
import type { Job } from "../../engine/executor.ts";
import { partOfFiles } from "../steps/places.ts";
import { homeFolder, sandboxPlaces } from "../steps/view.ts";
import { type Attempt, makeShared, makeWritable } from "./attempt-folder.ts";

/**
 * The volumes of an attempt as folders of this machine, outside of what steps can write to, so that no source of a mount is looked up there
 * (docs/adr/0034, 0056):
 *
 *     <attempt>/volumes/0-0     an emptyDir, or the part of it that some mounts have
 *     <attempt>/volumes/1       the files of a Secret or a ConfigMap; steps see them read-only
 *     <attempt>/volumes/home-0  what steps without a mount at a path in the home have there
 *
 * A path in the home would be looked up in a folder that steps write to. So the home has a link there, created before the first step, and
 * the mount is at the target of the link: a step that replaces the link changes only its own view.
 */
export interface VolumeMount {
  source: string;
  target: string;
  isReadOnly: boolean;
  /** A single file. */
  isFile: boolean;
}

type VolumeJob = Pick<Job, "steps" | "sidecars" | "volumes">;

/** Where a step sees its volumes. @throws StepProblem */
export function volumeMounts(job: VolumeJob, attempt: Attempt, { mounts = [] }: Pick<JobStep, "mounts">): VolumeMount[] {
  const homes = homePlaces(job);
  const own = mounts.map((mount) => ({ ...sourceOf(job, attempt, mount), target: targetOf(mount.path, homes) }));
  const others = homes.flatMap((path, index) =>
    mounts.some((mount) => mount.path === path)
      ? []
      : [{ source: homeSource(attempt, index), target: homeTarget(index), isReadOnly: false, isFile: false }],
  );
  return [...own, ...others];
}

/** The mount of a step that is its whole home, if any; engines mount it there. */
export function homeMount(
  job: VolumeJob,
  attempt: Attempt,
  { mounts = [] }: Pick<JobStep, "mounts">,
): Omit<VolumeMount, "target"> | undefined {
  if (!homePlaces(job).includes(homeFolder)) return undefined;
  const mount = mounts.find(({ path }) => path === homeFolder);
  return mount ? sourceOf(job, attempt, mount) : { source: homeSource(attempt, 0), isReadOnly: false, isFile: false };
}

/** Creates what the steps mount, before the first one starts. @throws StepProblem */
export async function openVolumes(job: VolumeJob, attempt: Attempt): Promise<void> {
  const { volumes = [] } = job;
  if (volumes.length === 0) return;
  const { identity } = attempt;
  for (const step of [...job.steps, ...(job.sidecars ?? [])]) volumeMounts(job, attempt, step);
  makeShared(volumesFolder(attempt), identity);
  for (const folder of scratchFolders(job, attempt).flatMap(({ paths }) => paths)) makeWritable(folder, identity);
  for (const [index, { files }] of volumes.entries()) if (files) await writeFiles(filesFolder(attempt, index), files, attempt);
  for (const [index, path] of homePlaces(job).entries()) linkHome(attempt, path.slice(homeFolder.length + 1), homeTarget(index));
}

/** Folders that steps can write to, by volume; those that belong to no volume come last. */
export function scratchFolders(job: VolumeJob, attempt: Attempt): { volume: JobVolume | undefined; paths: string[] }[] {
  const { volumes = [] } = job;
  const ofVolumes = volumes.flatMap((volume, index) =>
    volume.scratch ? [{ volume, paths: partsOf(job, volume.name).map((_, part) => scratchFolder(attempt, index, part)) }] : [],
  );
  const ofHome = homePlaces(job).map((_, index) => homeSource(attempt, index));
  return ofHome.length === 0 ? ofVolumes : [...ofVolumes, { volume: undefined, paths: ofHome }];
}

function volumesFolder({ folder }: Attempt): string {
  return join(folder, "volumes");
}

function scratchFolder(attempt: Attempt, volume: number, part: number): string {
  return join(volumesFolder(attempt), `${volume}-${part}`);
}

function filesFolder(attempt: Attempt, volume: number): string {
  return join(volumesFolder(attempt), String(volume));
}

function homeSource(attempt: Attempt, index: number): string {
  return join(volumesFolder(attempt), `home-${index}`);
}

function homeTarget(index: number): string {
  return `${sandboxPlaces.volumesFolder}/${index}`;
}

function allMounts({ steps, sidecars = [] }: VolumeJob): JobMount[] {
  return [...steps, ...sidecars].flatMap(({ mounts = [] }) => mounts);
}

/** Each is a separate folder: none contains another one (core/task/tekton/volumes/volume-mounts.ts). */
function partsOf(job: VolumeJob, volume: string): string[] {
  return [...new Set(allMounts(job).flatMap((mount) => (mount.volume === volume ? [mount.subPath ?? ""] : [])))];
}

/** Paths in the home where some step has a volume; none is inside another one (core/task/tekton/volumes/volume-mounts.ts). */
function homePlaces(job: VolumeJob): string[] {
  const paths = new Set(allMounts(job).flatMap(({ path }) => (isAtOrBelow(path, homeFolder) ? [path] : [])));
  return [...paths].sort();
}

function targetOf(path: string, homes: readonly string[]): string {
  const index = homes.indexOf(path);
  return index < 0 ? path : homeTarget(index);
}

function sourceOf(job: VolumeJob, attempt: Attempt, { volume: name, subPath, readOnly }: JobMount): Omit<VolumeMount, "target"> {
  const index = job.volumes?.findIndex((volume) => volume.name === name) ?? -1;
  const volume = job.volumes?.[index];
  if (volume?.files === undefined) {
    const part = partsOf(job, name).indexOf(subPath ?? "");
    return { source: scratchFolder(attempt, index, part), isReadOnly: readOnly, isFile: false };
  }
  const isFile = partOfFiles(volume, subPath) === "file";
  return { source: join(filesFolder(attempt, index), subPath ?? ""), isReadOnly: true, isFile };
}

/** The folders belong to the service and the files to the user, with the requested modes: programs refuse keys that others can read. */
async function writeFiles(folder: string, files: NonNullable<JobVolume["files"]>, { identity }: Attempt): Promise<void> {
  makeShared(folder, identity);
  const made = new Set([folder]);
  for (const { path, text, mode } of files) {
    const file = join(folder, path);
    makeFolders(dirname(file), made, identity);
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    if (identity) chownSync(file, identity.uid, identity.gid);
    chmodSync(file, mode);
  }
}

function makeFolders(folder: string, made: Set<string>, identity: Attempt["identity"]): void {
  if (made.has(folder)) return;
  makeFolders(dirname(folder), made, identity);
  makeShared(folder, identity);
  made.add(folder);
}

/** No step has seen the home yet, so it contains no links. */
function linkHome({ writable, identity }: Attempt, inner: string, target: string): void {
  const home = join(writable, "home");
  const names = inner.split("/").filter(Boolean);
  const link = join(home, ...names);
  if (names.length === 0) rmdirSync(home);
  for (let depth = 1; depth < names.length; depth++) makeOnce(join(home, ...names.slice(0, depth)), identity);
  symlinkSync(target, link);
  if (identity) lchownSync(link, identity.uid, identity.gid);
}

function makeOnce(folder: string, identity: Attempt["identity"]): void {
  try {
    mkdirSync(folder, { mode: 0o755 });
    if (identity) chownSync(folder, identity.uid, identity.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

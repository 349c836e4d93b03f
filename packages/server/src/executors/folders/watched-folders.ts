// The folders of this machine that an attempt writes to: workspaces are opened, sizes are watched, and what steps left in them is read.

import { constants } from "node:fs";
import { lchown, lstat, mkdir, open, opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { closeFolder, openFolder } from "../../base/file/open-folder.ts";
import { makeParentFolders } from "../../base/file/parent-folders.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { Masker } from "../../base/secret/mask.ts";
import type { Job, JobOutcome, JobWorkspace } from "../../engine/executor.ts";
import { judgeOnFullDisk } from "../machine/judge-fault.ts";
import type { MachineWatch } from "../machine/machine-watch.ts";
import { failed, type Verdict } from "../steps/outcomes.ts";
import { readResults } from "../steps/read-results.ts";
import type { Attempt } from "./attempt-folder.ts";
import type { WatchedFolder } from "./folder-limits.ts";
import type { Identity } from "./identity.ts";
import type { LimitWatch } from "./limit-watch.ts";
import { defaultScratchBytes } from "./limit-watch.ts";
import { nothing, type TreeSize } from "./measure-tree.ts";
import { scratchFolders } from "./volume-folders.ts";

/**
 * The folders of this machine that an attempt may write to, with their limits.
 *
 * @param keepsReadOnly whether steps are prevented from writing to workspaces that are read-only for them
 */
export function watchedFolders(
  job: Job,
  attempt: Attempt,
  scratchBytes: number | undefined,
  sizes: WorkspaceSizes,
  keepsReadOnly = true,
): WatchedFolder[] {
  const scratch = {
    label: "its scratch folder",
    path: attempt.writable,
    limitBytes: scratchBytes ?? defaultScratchBytes,
    known: nothing,
    isTemporary: true,
  };
  const volumes = job.volumes ? scratchFolders(job, attempt) : [];
  const limited = volumes.flatMap(({ volume, paths: [path = "", ...parts] }) => {
    const limitBytes = volume?.scratch?.sizeLimitBytes;
    return limitBytes === undefined
      ? []
      : [{ label: `volume "${volume?.name}"`, path, parts, limitBytes, known: nothing, isTemporary: true, isPart: true }];
  });
  const workspaces = job.workspaces
    .filter((workspace) => !workspace.readOnly || !keepsReadOnly)
    .map(({ name, source, sizeLimitBytes }) => ({
      label: `workspace "${name}"`,
      path: source,
      limitBytes: sizeLimitBytes,
      known: sizes.get(source),
    }));
  return [{ ...scratch, parts: volumes.flatMap(({ paths }) => paths) }, ...limited, ...workspaces];
}

const maxRemembered = 10_000;

/** The sizes of workspaces when they were last measured here, by folder: only growth counts against a task. */
export class WorkspaceSizes {
  readonly #sizes = new BoundedCache<TreeSize>("workspace-sizes", { maxEntries: maxRemembered });

  get(folder: string): TreeSize | undefined {
    return this.#sizes.get(folder);
  }

  remember(folder: string, size: TreeSize | undefined): void {
    this.#sizes.delete(folder);
    // The size of a folder that was not counted to the end is unknown; the next attempt counts it again.
    if (size === undefined || !size.isComplete || size.isCut) return;
    this.#sizes.set(folder, size);
  }
}

export interface EndedAttempt {
  job: Job;
  attempt: Attempt;
  masker: Masker;
  watch: LimitWatch;
  sizes: WorkspaceSizes;
  machine: MachineWatch;
  /** The user who must own result files; undefined: any. */
  owner: number | undefined;
}

/**
 * What the steps left in the folders of this machine: their results, and whether they exceeded a limit. A failure of a step takes
 * precedence.
 */
export async function concludeAttempt(
  { job, attempt, masker, watch, sizes, machine, owner }: EndedAttempt,
  verdict: Verdict,
): Promise<{ verdict: Verdict; results: JobOutcome["results"] }> {
  const [{ results, problem }, breach] = await Promise.all([readResults(job, `${attempt.writable}/results`, owner, masker), watch.check()]);
  const isWithinLimits = verdict.status === "succeeded" && breach === undefined;
  const judged =
    verdict.status === "succeeded" ? breach && failed(breach.reason, breach.message) : await judgeOnFullDisk(verdict, watch, machine);
  const gone = isWithinLimits ? [] : await watch.reclaim();
  for (const { source } of job.workspaces) sizes.remember(source, watch.sizeOf(source));
  if (judged) return { verdict: { ...judged, message: [judged.message, ...gone].join("; ") }, results };
  return { verdict: problem ? failed(problem.reason, problem.message) : verdict, results };
}

/** Creates missing folders of workspaces, and makes the user of the steps their owner. */
export async function openWorkspaces(workspaces: readonly JobWorkspace[], identity: Identity | undefined): Promise<void> {
  await Promise.all(workspaces.map((workspace) => openWorkspace(workspace.source, identity)));
}

async function openWorkspace(source: string, identity: Identity | undefined): Promise<void> {
  await makeParentFolders(dirname(source));
  await mkdir(source, { mode: 0o700 }).catch(ignoreExisting);
  if (identity === undefined) return openPermissions(source);
  const found = await lstat(source);
  if (found.uid !== identity.uid) await giveTree(source, found.uid, identity);
}

/** A step of our own user can remove the permissions of the folder, which locks out us and every later task. */
async function openPermissions(source: string): Promise<void> {
  // If it is not ours, or no folder, the code that needs it reports that.
  const folder = await openFolder(source, 0o700).catch(() => undefined);
  if (folder) closeFolder({ fd: folder.fd, formerMode: undefined });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/**
 * Happens only once for a folder: when it is new, or when the way in which the machine runs steps has changed. What belonged to the former
 * owner is transferred; anything else, and a file that has a second name somewhere, keeps its owner.
 *
 * A step of another task may already be using it, and this process may be root: so each folder is opened without following links, and
 * everything else is looked up in the open folder. A name that turns into a link in the meantime is not followed.
 */
async function giveTree(folder: string, from: number, to: Identity): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const inside = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : folder;
    for await (const entry of await opendir(inside)) {
      const path = join(inside, entry.name);
      const found = await lstat(path);
      if (found.isDirectory()) await giveTree(path, from, to);
      else if (found.uid === from && found.nlink === 1) await lchown(path, to.uid, to.gid);
    }
    if ((await handle.stat()).uid === from) await handle.chown(to.uid, to.gid);
  } finally {
    await handle.close();
  }
}

import { access, open } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { RunNeed } from "../core/task/place-task.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import { clusterPlace, storePlace, workspacePlace } from "../core/worker/workspace-place.ts";
import type { Database } from "../store/database/database.ts";
import type { JobRun } from "../store/run/job-inputs.ts";
import { type HeldWorkspaces, listHeldWorkspaces, listRunsWithFolders } from "../store/worker/workspace-places.ts";
import type { JobWorkspace } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";

/**
 * Whether a claimed attempt would find its workspaces where it is to run. Claims ensure that; this is the final check, because an attempt
 * that starts with an empty folder instead of the files of earlier tasks does damage that nobody sees.
 */
export interface WorkspaceLook {
  held: HeldWorkspaces[];
  /** A task has used the folder of the run's workspace, and it no longer exists. */
  isMissing: boolean;
}

/** By run, for those that have workspaces. Costs nothing for the others. */
export async function lookAtWorkspaces(sql: Database, workspacesDir: string, runs: Iterable<JobRun>): Promise<Map<string, WorkspaceLook>> {
  const looks = [...runs].filter(({ workspaces }) => workspaces.length > 0).map((run) => look(sql, workspacesDir, run));
  return new Map(await Promise.all(looks));
}

async function look(sql: Database, workspacesDir: string, { teamId, id, workflowId }: JobRun): Promise<[string, WorkspaceLook]> {
  const held = await listHeldWorkspaces(sql, teamId, [id, workflowId]);
  const folder = workspaceFolder(workspacesDir, teamId, "workflowrun", id);
  if (await isThere(folder)) return [id, { held, isMissing: false }];
  const wasUsed = (await listRunsWithFolders(sql, teamId, [id])).length > 0;
  if (!wasUsed) return [id, { held, isMissing: false }];
  // Another task of the run may have been the first to use the folder, and have ended, since the check above. Opening the parent folder
  // makes a network file system ask its server instead of its cache.
  await open(dirname(folder)).then(
    (handle) => handle.close(),
    () => {},
  );
  return [id, { held, isMissing: !(await isThere(folder)) }];
}

function isThere(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
}

/** Of an attempt. */
export interface WorkspaceUse {
  need: RunNeed;
  executor: ExecutorKind;
  workspaces: readonly JobWorkspace[];
  /** Id of this worker's folder of workspaces. */
  folder: string | undefined;
  /** It can restore workspaces from the store. */
  hasStore: boolean;
}

/** What keeps the attempt from its workspaces, as a sentence; undefined if nothing does. */
export function whyWorkspaceLost(
  { held, isMissing }: WorkspaceLook,
  { need, executor, workspaces, folder, hasStore }: WorkspaceUse,
): string | undefined {
  if (need === "kubernetes" || workspaces.length === 0) return undefined;
  const own = workspacePlace(executor, folder);
  for (const { name, ownerId } of workspaces) {
    const rows = held.filter((row) => row.ownerId === ownerId);
    const row = (need === "image" && rows.find(({ kind }) => kind === "image")) || rows.find(({ kind }) => kind === "folder");
    if (row?.place === storePlace && hasStore && executor !== "kubernetes") continue;
    if (row && row.place !== own && (executor !== "kubernetes" || row.kind === "image")) return elsewhere(name, row);
  }
  const ofRun = workspaces.find(({ scope }) => scope === "workflowrun");
  if (executor === "kubernetes" || !isMissing || !ofRun) return undefined;
  if (hasStore && held.some((row) => row.ownerId === ofRun.ownerId && row.isStored)) return undefined;
  return `Workspace "${ofRun.name}" is lost: its folder on ${hostname()} was used by earlier tasks of this run and no longer exists`;
}

function elsewhere(name: string, { host, seenAt, place }: HeldWorkspaces): string {
  const what = `Workspace "${name}" cannot be reached`;
  if (place === clusterPlace) return `${what}: it is a volume of the cluster, and this worker has no cluster`;
  if (place === storePlace) return `${what}: it is in a store (MILLRACE_WORKSPACE_STORE) that this worker does not have`;
  if (host === null || seenAt === null) return `${what}: the worker that has it (folder ${place}) is no longer known`;
  const seen = `the worker on ${host} has it (folder ${place}) and was last seen at ${seenAt.toISOString()}`;
  return `${what}: ${seen}. Start that worker again with its data folder, then run this again`;
}

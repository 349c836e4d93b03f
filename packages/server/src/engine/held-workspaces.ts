import { access } from "node:fs/promises";
import type { RunNeed } from "../core/place-task.ts";
import type { ExecutorKind } from "../core/tekton/runnable.ts";
import { workspacePlace } from "../core/workspace-place.ts";
import type { Database } from "../store/database.ts";
import type { JobRun } from "../store/job-inputs.ts";
import { type HeldWorkspaces, listHeldWorkspaces, listRunsWithFolders } from "../store/workspace-places.ts";
import type { JobWorkspace } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";

/**
 * Whether a claimed attempt would find its workspaces where it is to run. Claims see to it; this is the last look, since an attempt that begins with
 * an empty folder in the place of what others have left for it does damage that nobody sees.
 */
export interface WorkspaceLook {
  held: HeldWorkspaces[];
  /** Folder of the run's workspace that a task has used and that is not there any more. */
  missing?: string;
}

/** By run, for those that have workspaces; asks nothing for the others. */
export async function lookAtWorkspaces(sql: Database, workspacesDir: string, runs: Iterable<JobRun>): Promise<Map<string, WorkspaceLook>> {
  const looks = [...runs].filter(({ workspaces }) => workspaces.length > 0).map((run) => look(sql, workspacesDir, run));
  return new Map(await Promise.all(looks));
}

async function look(sql: Database, workspacesDir: string, { teamId, id, workflowId }: JobRun): Promise<[string, WorkspaceLook]> {
  const held = await listHeldWorkspaces(sql, teamId, [id, workflowId]);
  const folder = workspaceFolder(workspacesDir, teamId, "workflowrun", id);
  const isThere = await access(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT",
  );
  if (isThere || (await listRunsWithFolders(sql, teamId, [id])).length === 0) return [id, { held }];
  return [id, { held, missing: folder }];
}

/** Of an attempt. */
export interface WorkspaceUse {
  need: RunNeed;
  executor: ExecutorKind;
  workspaces: readonly JobWorkspace[];
  /** Id of this worker's folder of workspaces. */
  folder: string | undefined;
}

/** What keeps the attempt from its workspaces, as a sentence; undefined when nothing does. */
export function whyWorkspaceLost(
  { held, missing }: WorkspaceLook,
  { need, executor, workspaces, folder }: WorkspaceUse,
): string | undefined {
  if (need === "kubernetes" || workspaces.length === 0) return undefined;
  const own = workspacePlace(executor, folder);
  for (const { name, ownerId } of workspaces) {
    const rows = held.filter((row) => row.ownerId === ownerId);
    const row = (need === "image" && rows.find(({ kind }) => kind === "image")) || rows.find(({ kind }) => kind === "folder");
    if (row && row.place !== own && (executor !== "kubernetes" || row.kind === "image")) return elsewhere(name, row);
  }
  const ofRun = workspaces.find(({ scope }) => scope === "workflowrun");
  if (executor === "kubernetes" || missing === undefined || !ofRun) return undefined;
  return `Workspace "${ofRun.name}" is lost: ${missing} was used by earlier tasks of this run and does not exist any more`;
}

function elsewhere(name: string, { host, path, seenAt }: HeldWorkspaces): string {
  if (host === null) return `Workspace "${name}" cannot be reached: it is a volume of the cluster or on a worker that is unknown by now`;
  const seen = seenAt ? `, whose worker was last seen at ${seenAt.toISOString()}` : "";
  return `Workspace "${name}" cannot be reached: it is in ${path} on ${host}${seen}. Start a worker with that folder again, then retry`;
}

// The workspaces of a job: which folders they are, and whether they are where the job runs.

import { access, open } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { InstanceSettings } from "../core/settings/instance-settings.ts";
import type { RunNeed } from "../core/task/place-task.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import { workspaceBytes } from "../core/team/quota.ts";
import { clusterPlace, storePlace, workspacePlace } from "../core/worker/workspace-place.ts";
import type { PlanNode } from "../core/workflow/plan.ts";
import { workspaceType } from "../core/workflow/workflow-document-checks.ts";
import type { Database } from "../store/database/database.ts";
import type { JobRun } from "../store/run/job-inputs.ts";
import { type HeldWorkspaces, listHeldWorkspaces, listRunsWithFolders } from "../store/worker/workspace-places.ts";
import type { JobWorkspace } from "./executor.ts";

/**
 * The folders that the steps of a node share with others: `workflow` is kept across the runs of the workflow, `workflowrun` until its run
 * is finalized. Every task of a workflow that asks for them sees them at their usual path. A node may bind one to workspaces that its task
 * declares, each under its own name and path.
 */
export function jobWorkspaces(workspacesDir: string, run: JobRun, node: PlanNode, settings: InstanceSettings): JobWorkspace[] {
  return run.workspaces.flatMap((workspace) => {
    const type = workspaceType(workspace);
    if (!type) return [];
    const bound = node.workspaces.filter((binding) => workspaceType(binding) === type);
    return (bound.length > 0 ? bound : [{ name: workspace.name }]).map((binding) => ({
      name: binding.name,
      scope: type,
      ownerId: type === "workflow" ? run.workflowId : run.id,
      source: workspaceFolder(workspacesDir, run.teamId, type, type === "workflow" ? run.workflowId : run.id),
      mountPath:
        mountPathOf(binding, node) ??
        (bound.length > 1 ? `/workspace/${binding.name}` : (workspace.spec?.mountPath ?? `/workspace/${type}`)),
      readOnly: declaredWorkspaces(node).find((declared) => declared.name === binding.name)?.readOnly === true,
      // Set when the run was submitted, by the quotas and settings of that time; runs from before this existed have none.
      sizeLimitBytes: workspaceBytes(workspace.spec?.size) ?? settings.storage[type].defaultBytes,
    }));
  });
}

/** A workspace that the task requires and that nobody bound, as a sentence; undefined if there is none. */
export function missingWorkspace(node: PlanNode, workspaces: readonly JobWorkspace[]): string | undefined {
  const names = new Set(workspaces.map((workspace) => workspace.name));
  const missing = declaredWorkspaces(node).find((declared) => !declared.optional && !names.has(declared.name));
  if (!missing) return undefined;
  const binding = `{"name": "${missing.name}", "type": "workflowrun"}`;
  return `task ${node.task?.name} needs the workspace "${missing.name}": bind it at the node (workspaces: [${binding}]) and declare a workspace of that type on the workflow`;
}

interface DeclaredWorkspace {
  name: string;
  optional?: boolean;
  readOnly?: boolean;
  mountPath?: string;
}

function declaredWorkspaces(node: PlanNode): DeclaredWorkspace[] {
  return (node.task?.spec.workspaces as DeclaredWorkspace[] | undefined) ?? [];
}

function mountPathOf(binding: { name: string; mountPath?: string }, node: PlanNode): string | undefined {
  return binding.mountPath ?? declaredWorkspaces(node).find((declared) => declared.name === binding.name)?.mountPath;
}

/** The path of a workspace on a machine. The database creates the ids, so they are safe as names. */
export function workspaceFolder(workspacesDir: string, teamId: string, type: "workflow" | "workflowrun", id: string): string {
  return join(workspacesDir, teamId, type, id);
}

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
export async function checkWorkspaces(sql: Database, workspacesDir: string, runs: Iterable<JobRun>): Promise<Map<string, WorkspaceLook>> {
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

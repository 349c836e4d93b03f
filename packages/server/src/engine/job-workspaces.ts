import { join } from "node:path";
import type { InstanceSettings } from "../core/settings/instance-settings.ts";
import { workspaceBytes } from "../core/worker/workspace-size.ts";
import type { PlanNode } from "../core/workflow/plan.ts";
import { workspaceType } from "../core/workflow/workflow-document-checks.ts";
import type { JobRun } from "../store/run/job-inputs.ts";
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

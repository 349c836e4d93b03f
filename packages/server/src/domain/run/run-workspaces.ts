import type { WorkflowWorkspace } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { InstanceSettings } from "../../core/settings/instance-settings.ts";
import type { Quotas } from "../../core/team/quota.ts";
import { findOversizedWorkspace, sizedWorkspaces, storageFaults, workspaceFaults } from "../../core/workflow/workflow-document-checks.ts";
import { quotaExceeded } from "../team/quota-exceeded.ts";

/** The limits of a team's workspaces. */
export interface WorkspaceLimits {
  teamName: string;
  quotas: Quotas;
  storage: InstanceSettings["storage"];
}

/**
 * The workspaces of a run: those of the workflow, overridden by those of the request with the same name. Each has its maximum size by the
 * current quotas, so that lowering a quota later does not end a run that has started.
 *
 * @throws WORKFLOWRUN_INVALID_REQUIREMENT for an invalid size, QUOTA_EXCEEDED for one above the quota of the team
 */
export function runWorkspaces(
  declared: readonly WorkflowWorkspace[],
  requested: readonly WorkflowWorkspace[],
  limits: WorkspaceLimits,
): WorkflowWorkspace[] {
  if (declared.length === 0 && requested.length === 0) return [];
  const { teamName, quotas, storage } = limits;
  const details = [...requested.flatMap(workspaceFaults), ...storageFaults(requested, storage)];
  if (details[0]) throw new AppError("WORKFLOWRUN_INVALID_REQUIREMENT", [`${details[0].path} ${details[0].message}`], { details });
  const merged = [...new Map([...declared, ...requested].map((workspace) => [workspace.name, workspace])).values()];
  refuseOversized(merged, teamName, quotas);
  return sizedWorkspaces(merged, quotas, storage);
}

/** Those of a rerun, limited to the current quota of the team. @throws QUOTA_EXCEEDED if it may have none any more */
export function workspacesAgain(workspaces: readonly WorkflowWorkspace[], limits: WorkspaceLimits): WorkflowWorkspace[] {
  const sized = sizedWorkspaces(workspaces, limits.quotas, limits.storage);
  refuseOversized(sized, limits.teamName, limits.quotas);
  return sized;
}

function refuseOversized(workspaces: readonly WorkflowWorkspace[], team: string, quotas: Quotas): void {
  const oversized = findOversizedWorkspace(workspaces, quotas);
  if (oversized) throw quotaExceeded(oversized.quota, { team, used: oversized.asked, max: oversized.maxGi });
}

import type { WorkspaceStorage, WorkspaceType } from "../settings/instance-settings.ts";
import type { Quotas } from "../team/quota.ts";
import { workspaceBytes } from "./workspace-size.ts";

/**
 * What a workspace may hold in the end, in bytes: what it asks for or else the default, within the team's quota and the instance's limit.
 */
export function workspaceLimitBytes(
  size: unknown,
  type: WorkspaceType,
  quotas: Pick<Quotas, "maxWorkflowStorage" | "maxWorkflowRunStorage">,
  storage: WorkspaceStorage,
): number {
  const quota = type === "workflow" ? quotas.maxWorkflowStorage : quotas.maxWorkflowRunStorage;
  return Math.min(workspaceBytes(size) ?? storage.defaultBytes, quota * 2 ** 30, storage.maxBytes);
}

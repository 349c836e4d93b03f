import type { AbstractParam, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Layers } from "../../core/run/run-state.ts";
import type { Queryable } from "../database/database.ts";

/** What a start may still change of a run. */

/** Locks the run while it waits in the queue; undefined when it does not (any more). */
export async function findAmendable(
  db: Queryable,
  teamId: string,
  runId: string,
): Promise<{ layers: Layers; declared: AbstractParam[] | null } | undefined> {
  const [row] = await db<{ layers: Layers; declared: AbstractParam[] | null }[]>`
    select r.layers, v.document->'params' as declared
    from run r join workflow_version v on v.team_id = r.team_id and v.id = r.workflow_version_id
    where r.team_id = ${teamId} and r.id = ${runId} and r.phase in ('pending', 'queued')
    for update of r`;
  return row;
}

export interface QueuedRunChange {
  labels: Record<string, string>;
  annotations: Record<string, unknown>;
  /** Secrets masked, here and in the layers. */
  params: { name: string; value: unknown }[];
  layers: Layers;
  secrets: Uint8Array | null;
  workspaces: WorkflowWorkspace[];
  timeoutMinutes: number | null;
  retries: number;
  debug: boolean;
}

/** Under the lock of `findAmendable`. */
export async function updateQueuedRun(db: Queryable, teamId: string, runId: string, change: QueuedRunChange): Promise<void> {
  await db`
    update run set labels = ${JSON.stringify(change.labels)}::jsonb, annotations = ${JSON.stringify(change.annotations)}::json,
      params = ${JSON.stringify(change.params)}::json, layers = ${JSON.stringify(change.layers)}::json, secrets = ${change.secrets},
      workspaces = ${JSON.stringify(change.workspaces)}::json, timeout_minutes = ${change.timeoutMinutes}, retries = ${change.retries},
      debug = ${change.debug}, state_version = state_version + 1
    where team_id = ${teamId} and id = ${runId}`;
}

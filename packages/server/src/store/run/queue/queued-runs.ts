import type { AbstractParam, WorkflowWorkspace } from "@millrace/contract/common.ts";
import type { Layers } from "../../../core/run/run-state.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import type { RunKey } from "../run-states.ts";

/** What a start request may still change of a run. */

interface AmendableRun {
  layers: Layers;
  declared: AbstractParam[] | null;
  /** It is a rerun: tasks that succeeded before do not run again. */
  keepsTasks: boolean;
}

/** Locks the run while it waits in the queue; undefined if it does not (or no longer). */
export async function findAmendable(db: Queryable, teamId: string, runId: string): Promise<AmendableRun | undefined> {
  const [row] = await db<AmendableRun[]>`
    select r.layers, v.document->'params' as declared,
      exists (select from task_run t where t.team_id = r.team_id and t.run_id = r.id and t.phase = 'completed') as "keepsTasks"
    from run r join workflow_version v on v.team_id = r.team_id and v.id = r.workflow_version_id
    where r.id = ${runId} and (r.team_id = ${teamId}) is true and r.phase in ('pending', 'queued')
    for update of r`;
  return row;
}

interface QueuedRunChange {
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
  /** Absent: its position in the queue does not change; null: its id. */
  queueRank?: string | null;
  /** The principal who changes it; null if that is recorded elsewhere. */
  by: string | null;
}

/** Under the lock of `findAmendable`. */
export async function updateQueuedRun(db: Queryable, teamId: string, runId: string, change: QueuedRunChange): Promise<void> {
  await db`
    update run set labels = ${JSON.stringify(change.labels)}::jsonb, annotations = ${JSON.stringify(change.annotations)}::json,
      params = ${JSON.stringify(change.params)}::json, layers = ${JSON.stringify(change.layers)}::json, secrets = ${change.secrets},
      workspaces = ${JSON.stringify(change.workspaces)}::json, timeout_minutes = ${change.timeoutMinutes}, retries = ${change.retries},
      debug = ${change.debug}, queue_rank = ${change.queueRank === undefined ? db`queue_rank` : db`${change.queueRank}::uuid`}, state_version = state_version + 1,
      amended_by = array_remove(amended_by, ${change.by}) || array_remove(array[${change.by}::text], null)
    where id = ${runId} and (team_id = ${teamId}) is true`;
}

/** Principals who count as having started it besides the initiator, because they changed it while it was queued. */
export async function listRequesters(db: Queryable, teamId: string, runId: string): Promise<string[]> {
  const [row] = await db<{ amendedBy: string[] }[]>`
    select amended_by as "amendedBy" from run where id = ${runId} and (team_id = ${teamId}) is true`;
  return row?.amendedBy ?? [];
}

/** If it is not its ID. */
export async function findQueueRank(db: Queryable, teamId: string, runId: string): Promise<string | null> {
  const [row] = await db<
    { rank: string | null }[]
  >`select queue_rank as rank from run where id = ${runId} and (team_id = ${teamId}) is true`;
  return row?.rank ?? null;
}

interface ConcurrencyQuota {
  /** For teams without a quota of their own. */
  defaultConcurrent: number;
  /** Every team has free slots, whatever its quota. */
  isUnlimited: boolean;
}

interface ClaimedRun extends RunKey {
  /** False: it continues from where it was delayed. */
  isNew: boolean;
  /** Only a run that another one waits for starts without a slot. */
  hasPlace: boolean;
}

/**
 * Claims runs of teams with free slots: first those that have something to continue, then those that have not started. Their teams and rows
 * stay locked until the transaction ends (schema: claim_active_runs).
 */
export async function claimRuns(tx: Transaction, wanted: number, quota: ConcurrencyQuota): Promise<ClaimedRun[]> {
  return tx<ClaimedRun[]>`
    select team_id as "teamId", id, is_new as "isNew", has_place as "hasPlace"
    from claim_active_runs(${wanted}, ${quota.defaultConcurrent}, ${quota.isUnlimited})`;
}

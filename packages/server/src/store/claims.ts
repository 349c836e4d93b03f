import type { Transaction } from "./database.ts";
import type { RunKey } from "./run-states.ts";

export interface ConcurrencyQuota {
  /** For teams that have no quota of their own. */
  defaultConcurrent: number;
  /** Every team has room, whatever its quota. */
  isUnlimited: boolean;
}

/** Takes queued runs of teams that have room; their rows stay locked until the transaction ends (schema: claim_queued_runs). */
export async function claimQueuedRuns(tx: Transaction, wanted: number, quota: ConcurrencyQuota): Promise<RunKey[]> {
  return tx<RunKey[]>`select team_id as "teamId", id from claim_queued_runs(${wanted}, ${quota.defaultConcurrent}, ${quota.isUnlimited})`;
}

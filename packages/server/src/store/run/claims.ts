import type { Transaction } from "../database/database.ts";
import type { RunKey } from "./run-states.ts";

export interface ConcurrencyQuota {
  /** For teams that have no quota of their own. */
  defaultConcurrent: number;
  /** Every team has room, whatever its quota. */
  isUnlimited: boolean;
}

export interface ClaimedRun extends RunKey {
  /** False: it goes on from where it was held back. */
  isNew: boolean;
  /** Only a run that another one waits for begins without a place. */
  hasPlace: boolean;
}

/**
 * Takes runs of teams that have room: first those that have something to do again, then those that have not begun. Their teams and
 * rows stay locked until the transaction ends (schema: claim_active_runs).
 */
export async function claimRuns(tx: Transaction, wanted: number, quota: ConcurrencyQuota): Promise<ClaimedRun[]> {
  return tx<ClaimedRun[]>`
    select team_id as "teamId", id, is_new as "isNew", has_place as "hasPlace"
    from claim_active_runs(${wanted}, ${quota.defaultConcurrent}, ${quota.isUnlimited})`;
}

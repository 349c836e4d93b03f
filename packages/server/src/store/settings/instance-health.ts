import type { Queryable } from "../database/database.ts";

/**
 * Whether the instance gets its work done, in a few numbers for everyone: they reveal nothing about any team, and so cover all of them.
 * Reads a limited number of rows (indexes of worker, task_run_claimable).
 */
export interface InstanceHealth {
  /** Their lease continues. */
  workers: number;
  /** How long the oldest unclaimed task run has waited. */
  oldestSeconds: number;
}

const mostCounted = 1_000;

export async function readInstanceHealth(db: Queryable): Promise<InstanceHealth> {
  const [row] = await db<InstanceHealth[]>`
    select
      (select count(*)::int from (select from worker where team_id is null and lease_until > (select db_now()) limit ${mostCounted}) w) as workers,
      q."oldestSeconds"
    from (
      select greatest(0, coalesce(extract(epoch from (select db_now()) - min(t.claimable_at)), 0))::int as "oldestSeconds"
      from (select claimable_at from task_run where claimable_at is not null limit ${mostCounted}) t) q`;
  return row!;
}

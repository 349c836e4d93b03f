import type { Database } from "../database/database.ts";

/** What waits in the instance, of all teams and processes. Counts end at `mostCounted`. */
export interface InstanceFigures {
  /** Runs that no engine has begun. */
  queuedRuns: number;
  /** Task runs that no worker has claimed, by the executor they need. */
  ready: { executor: string; taskRuns: number; oldestSeconds: number }[];
  workers: number;
  workerSlots: number;
  /** Open ones. */
  openDeliveries: number;
  /** Given up; they can be sent again. */
  deadDeliveries: number;
  /** How late the first unfired schedule is; 0: none is. */
  scheduleLateSeconds: number;
  /** Events that have not been dispatched to subscribers yet. */
  undispatchedEvents: number;
  /** How long the first changed run has waited to be indexed for the search. */
  searchLateSeconds: number;
  /** The last migration that was applied. */
  schemaVersion: number;
}

const mostCounted = 10_000;

/** Reads a limited number of rows, however much waits. */
export async function readInstanceFigures(db: Database): Promise<InstanceFigures> {
  const [row] = await db<InstanceFigures[]>`
    with clock as materialized (select db_now() as now),
    ready as (
      select split_part(t.executor, '/', 1) as executor, count(*)::int as "taskRuns",
        greatest(0, extract(epoch from (select now from clock) - min(t.claimable_at)))::float8 as "oldestSeconds"
      from (select executor, claimable_at from task_run where claimable_at is not null and executor is not null limit ${mostCounted}) t
      group by 1
    ), alive as (
      select slots from worker where team_id is null and lease_until > (select now from clock) limit ${mostCounted}
    )
    select
      (select count(*)::int from (select from run where phase in ('pending', 'queued') limit ${mostCounted}) q) as "queuedRuns",
      coalesce((select json_agg(ready) from ready), '[]') as ready,
      (select count(*)::int from alive) as workers,
      (select coalesce(sum(slots), 0)::int from alive) as "workerSlots",
      (select count(*)::int from (select from delivery where status in ('waiting', 'pending') limit ${mostCounted}) d) as "openDeliveries",
      (select count(*)::int from (select from delivery where status = 'dead' and ended_at is not null limit ${mostCounted}) d) as "deadDeliveries",
      greatest(0, coalesce(extract(epoch from (select now from clock) - (select min(fire_at) from schedule where fire_at is not null)), 0))::float8
        as "scheduleLateSeconds",
      (select count(*)::int from (select from change_event where dispatched_at is null limit ${mostCounted}) e) as "undispatchedEvents",
      greatest(0, coalesce(extract(epoch from (select now from clock)
        - (select min(noted_at) from run_search_due)), 0))::float8 as "searchLateSeconds",
      (select max(version) from schema_migration) as "schemaVersion"
    from clock`;
  if (!row) throw new Error("the statement about the instance returned no row");
  return row;
}

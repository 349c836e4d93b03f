import type { Queryable, Transaction } from "../database/database.ts";

/**
 * When to look for what is late, and for which teams: those with a subscription to alerts. All processes share one round. Without such a
 * subscription a round is one statement that writes nothing.
 */

/** Begins a round, unless another process began one within these seconds, or nobody wants alerts. */
export async function beginAlertRound(db: Queryable, everySeconds: number): Promise<boolean> {
  const { count } = await db`
    update instance set alerts_checked_at = (select db_now())
    where alerts_checked_at <= (select db_now()) - make_interval(secs => ${everySeconds})
      and (exists (select from subscription s where s.is_active and 'alert' = any(s.kinds)) or exists (select from alert_team))`;
  return count > 0;
}

/** A long round may overlap with the next one of another process, so each step is done by only one of them. @returns false for the other */
export async function tryAlerting(tx: Transaction): Promise<boolean> {
  const [row] = await tx<{ isFree: boolean }[]>`select pg_try_advisory_xact_lock(hashtext('millrace.alerts')) as "isFree"`;
  return row?.isFree === true;
}

/** Begins with the teams that want alerts now, and deletes the state of those that no longer do. */
export async function updateAlertTeams(tx: Transaction): Promise<void> {
  await tx`
    with wanting as materialized (
      select s.team_id from subscription s where s.is_active and 'alert' = any(s.kinds) and s.team_id is not null
      union
      select t.id from team t
      where t.deleted_at is null and exists (select from subscription s where s.is_active and 'alert' = any(s.kinds) and s.team_id is null)
    ), gone as (
      delete from alert_team a where not exists (select from wanting w where w.team_id = a.team_id)
    )
    insert into alert_team (team_id) select w.team_id from wanting w
    where not exists (select from alert_team a where a.team_id = w.team_id) on conflict do nothing`;
}

import type { Queryable } from "../database/database.ts";

/** Maintenance that keeps the queue of deliveries and its events small, for all teams at once. */

/** Deletes deliveries that ended so many days ago, the oldest first (index delivery_ended). @returns how many */
export async function deleteOldDeliveries(db: Queryable, keptDays: number, limit: number): Promise<number> {
  const { count } = await db`
    delete from delivery where id in (
      select id from delivery where status in ('delivered', 'dead') and ended_at < (select db_now()) - make_interval(days => ${keptDays}) limit ${limit})`;
  return count;
}

/** The same for one team, through any channel (index delivery_team_ended). @returns how many */
export async function deleteOldDeliveriesOfTeam(db: Queryable, teamId: string, keptDays: number, limit: number): Promise<number> {
  const { count } = await db`
    delete from delivery where id in (
      select id from delivery where team_id = ${teamId} and ended_at < (select db_now()) - make_interval(days => ${keptDays})
      order by ended_at limit ${limit})`;
  return count;
}

/**
 * Deletes events without deliveries, so many days after they happened at the earliest.
 * @param partition `202601`, or `default`
 * @returns how many
 */
export async function deleteOldEvents(db: Queryable, partition: string, keptDays: number, limit: number): Promise<number> {
  const events = db(`change_event_${partition}`);
  const { count } = await db`
    delete from ${events} where id in (
      select e.id from ${events} e
      where e.id < (select id_floor(db_now() - make_interval(days => ${keptDays}))) and e.dispatched_at is not null
        and not exists (select from delivery d where d.event_id = e.id) limit ${limit})`;
  return count;
}

/** Gives up deliveries of a paused subscription that have waited for longer than the time limit of a delivery. */
export async function expirePausedDeliveries(db: Queryable): Promise<void> {
  await db`
    update delivery d set status = 'dead', due_at = null, ended_at = (select db_now()), last_error = 'The subscription was paused for too long'
    from subscription s
    where s.id = d.subscription_id and not s.is_active and d.status in ('waiting', 'pending') and d.expires_at < (select db_now())`;
}

const batch = 5000;

/**
 * Forgets the reports of runs that began so many days ago, of all teams, some thousand at once. While one is there, each change of a run of
 * its team is examined. @returns true when there may be more
 */
export async function deleteOldCodehostReports(db: Queryable, keptDays: number): Promise<boolean> {
  const { count } = await db`
    delete from codehost_report where (team_id, run_id) in (
      select team_id, run_id from codehost_report where run_id < (select id_floor(db_now() - make_interval(days => ${keptDays}))) limit ${batch})`;
  return count === batch;
}

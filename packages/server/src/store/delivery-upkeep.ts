import type { Queryable } from "./database.ts";

/** What keeps the queue of deliveries and its events small, for all teams at once. */

const batch = 5000;

/** Forgets deliveries that were over so many days ago, some thousand at once (index delivery_ended). @returns true when there may be more */
export async function deleteOldDeliveries(db: Queryable, status: "delivered" | "dead", keptDays: number): Promise<boolean> {
  const { count } = await db`
    delete from delivery where id in (
      select id from delivery where status = ${status} and ended_at < (select db_now()) - make_interval(days => ${keptDays})
      order by ended_at limit ${batch})`;
  return count === batch;
}

/** Forgets events of which no delivery is left, so many days after they happened at the earliest. @returns true when there may be more */
export async function deleteOldEvents(db: Queryable, keptDays: number): Promise<boolean> {
  const { count } = await db`
    delete from change_event where id in (
      select e.id from change_event e
      where e.id < (select id_floor(db_now() - make_interval(days => ${keptDays}))) and e.dispatched_at is not null
        and not exists (select from delivery d where d.event_id = e.id) limit ${batch})`;
  return count === batch;
}

/** Gives up what a paused subscription has kept waiting for longer than a delivery is kept up. */
export async function expirePausedDeliveries(db: Queryable): Promise<void> {
  await db`
    update delivery d set status = 'dead', due_at = null, ended_at = (select db_now()), last_error = 'The subscription was paused for too long'
    from subscription s
    where s.id = d.subscription_id and not s.is_active and d.status in ('waiting', 'pending') and d.expires_at < (select db_now())`;
}

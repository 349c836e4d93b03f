import type { Queryable } from "../database/database.ts";

/**
 * Deleted objects, and when their rows may be removed: after an hour at the earliest, when nothing in progress can refer to them any more.
 */

/**
 * Workflows that were deleted an hour ago or longer, oldest first (index workflow_deleted): a submission that raced with the deletion has
 * long ended by then.
 */
export async function listDeletedWorkflows(db: Queryable): Promise<{ teamId: string; id: string }[]> {
  return db<{ teamId: string; id: string }[]>`
    select team_id as "teamId", id from workflow where deleted_at < (select db_now()) - interval '1 hour' order by deleted_at`;
}

/**
 * Cancels runs that a submission has put into a team while it was deleted: they would never start, and prevent the purge of the team. A run
 * that was already signalled is not signalled again.
 */
export async function signalRunsOfDeletedTeams(db: Queryable): Promise<void> {
  await db`
    insert into run_signal (team_id, run_id, kind, data)
    select r.team_id, r.id, 'cancel', '{"message": "Cancelled: the team was deleted"}'::json
    from team t join run r on r.team_id = t.id
    where t.deleted_at is not null and r.phase in ('pending', 'queued', 'running')
      and not exists (select from run_signal s where s.team_id = r.team_id and s.run_id = r.id and s.kind = 'cancel')`;
}

/** Removes teams that were deleted an hour ago or longer and have no workflow and no run left, with their tasks and members. */
export async function purgeEmptyTeams(db: Queryable): Promise<void> {
  await db`
    delete from team t where t.deleted_at < (select db_now()) - interval '1 hour'
      and not exists (select from workflow w where w.team_id = t.id) and not exists (select from run r where r.team_id = t.id)`;
}

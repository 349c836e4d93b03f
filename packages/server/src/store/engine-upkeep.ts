import type { Queryable } from "./database.ts";

/** What keeps the tables of the engine small, true and ready for the next month. Several processes may do it at once, and again. */

/** Teams whose work is not in ready_team although there is some: a submission that raced with pruning. Costs seconds, loses nothing. */
export async function noteForgottenTeams(db: Queryable): Promise<void> {
  await db`
    select note_work(array(
      select distinct r.team_id from run r where r.phase in ('pending', 'queued')
      union
      select distinct t.team_id from task_run t where t.claimable_at is not null))`;
}

/** Forgets teams that had nothing to claim for a while, workers that hold nothing and whose lease is long over, and signals to runs that are gone. */
export async function pruneIdle(db: Queryable): Promise<void> {
  await db`delete from ready_team where last_work_at < (select db_now()) - interval '10 minutes'
    and not exists (select from run q where q.team_id = ready_team.team_id and q.phase in ('pending', 'queued'))
    and not exists (select from task_run t where t.team_id = ready_team.team_id and t.claimable_at is not null)`;
  await db`delete from worker w where lease_until < (select db_now()) - interval '1 minute'
    and not exists (select from task_run t where t.worker_id = w.id)`;
  await db`delete from run_signal s where not exists (select from run r where r.team_id = s.team_id and r.id = s.run_id)`;
}

/** Makes the partitions of this month and the next where they are missing. */
export async function ensurePartitions(db: Queryable): Promise<void> {
  await db`select ensure_partitions(1)`;
}

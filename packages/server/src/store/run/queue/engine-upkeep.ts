import { noPlace } from "../../../core/worker/workspace-place.ts";
import type { Queryable } from "../../database/database.ts";

/**
 * Maintenance that keeps the tables of the engine small, correct and ready for the next month. Several processes may do it at once, and
 * repeatedly.
 */

/**
 * Teams that are missing in ready_team although they have work: a submission that raced with pruning. Costs seconds, loses nothing.
 *
 * @returns whether there is a folder of workspaces that no worker can use now: one statement, because an idle service asks all the time
 */
export async function noteForgottenTeams(db: Queryable): Promise<boolean> {
  const [row] = await db<{ hasUnusedPlaces: boolean }[]>`
    select exists (
      select from place p where not exists (
        select from worker w where w.place = p.id and w.lease_until > (select db_now()) and cardinality(w.executors) > 0)) as "hasUnusedPlaces",
    note_work(array(
      select distinct r.team_id from run r where r.phase in ('pending', 'queued') and r.held_for is null
      union
      select distinct r.team_id from run r where r.activity = 'wanted'
      union
      select distinct t.team_id from task_run t where t.claimable_at is not null))`;
  return row?.hasUnusedPlaces ?? true;
}

/**
 * Deletes rows of teams that had nothing to claim for a while, of workers that hold nothing and whose lease expired long ago, and of
 * signals to runs that no longer exist.
 */
export async function pruneIdle(db: Queryable): Promise<void> {
  await db`delete from ready_team where last_work_at < (select db_now()) - interval '10 minutes'
    and not exists (select from run q where q.team_id = ready_team.team_id and q.phase in ('pending', 'queued') and q.held_for is null)
    and not exists (select from run q where q.team_id = ready_team.team_id and q.activity = 'wanted')
    and not exists (select from task_run t where t.team_id = ready_team.team_id and t.claimable_at is not null)`;
  await db`delete from worker w where lease_until < (select db_now()) - interval '1 minute'
    and not exists (select from task_run t where t.worker_id = w.id)`;
  await db`delete from run_signal s where not exists (select from run r where r.id = any(array[s.run_id]) and (r.team_id = s.team_id) is true)`;
}

/** A folder of workspaces that no worker has. */
interface LostPlace {
  id: string;
  host: string;
  /** On that host. */
  path: string;
}

/**
 * Task runs whose folder of workspaces has had no worker for so long may be claimed by any worker: they fail there with the reason, because
 * what they need is not in its folder. One statement finds the folders, which are few; the other reads the range of the index of each.
 *
 * @returns the folders that task runs have waited for
 */
export async function releaseLostPlaces(db: Queryable, waitMinutes: number): Promise<LostPlace[]> {
  const lost = await db<LostPlace[]>`
    select p.id, p.host, p.path from place p
    where p.seen_at < (select db_now()) - make_interval(mins => ${waitMinutes}) - interval '15 seconds'
      and not exists (select from worker w where w.place = p.id and w.lease_until > (select db_now()))`;
  if (lost.length === 0) return [];
  const waited = await db<{ place: string }[]>`
    update task_run t set place = ${noPlace}
    from ready_team rt, unnest(${lost.map(({ id }) => id)}::text[]) as gone(place)
    where t.team_id = rt.team_id and t.claimable_at is not null and t.place = gone.place
    returning gone.place`;
  const places = new Set(waited.map(({ place }) => place));
  return lost.filter(({ id }) => places.has(id));
}

/** Deletes the places of workspaces whose run has ended or whose workflow was deleted, and folders that nothing refers to any more. */
export async function prunePlaces(db: Queryable): Promise<void> {
  await db`
    delete from workspace_place w
    where case w.scope
      when 'workflow' then not exists (select from workflow f where f.team_id = w.team_id and f.id = w.owner_id and f.deleted_at is null)
        and not exists (select from run r where r.team_id = w.team_id and r.workflow_id = w.owner_id and r.ended_at is null)
      else not exists (select from run r where r.team_id = w.team_id and r.id = w.owner_id
        and (r.ended_at is null or r.ended_at > (select db_now()) - interval '1 minute')) end`;
  await db`
    delete from workspace_archive c
    where not exists (select from workspace_place w where w.team_id = c.team_id and w.owner_id = c.owner_id)`;
  await db`
    delete from place p
    where p.seen_at < (select db_now()) - interval '1 day' and not exists (select from workspace_place w where w.place = p.id)
      and not exists (select from worker v where v.place = p.id)`;
}

/** Creates missing partitions of this month and the next. */
export async function ensurePartitions(db: Queryable): Promise<void> {
  await db`select ensure_partitions(1)`;
}

/**
 * Deletes the records of runs started by ends of runs that are older than the given days, in all teams; some thousand at once (index
 * outcome_start_at).
 */
export async function deleteOldOutcomeStarts(db: Queryable, keptDays: number): Promise<void> {
  await db`
    delete from outcome_start where (team_id, cause_run_id, workflow_id) in (
      select team_id, cause_run_id, workflow_id from outcome_start
      where at < (select db_now()) - make_interval(days => ${keptDays}) order by at limit 5000)`;
}

import type { Queryable } from "../database/database.ts";

/**
 * Forgets what the ends of runs have started longer ago than the days given, in all teams; some thousand at once (index outcome_start_at).
 */
export async function deleteOldOutcomeStarts(db: Queryable, keptDays: number): Promise<void> {
  await db`
    delete from outcome_start where (team_id, cause_run_id, workflow_id) in (
      select team_id, cause_run_id, workflow_id from outcome_start
      where at < (select db_now()) - make_interval(days => ${keptDays}) order by at limit 5000)`;
}

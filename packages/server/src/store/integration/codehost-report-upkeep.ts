import type { Queryable } from "../database/database.ts";

const batch = 5000;

/**
 * Forgets the reports of runs that began so many days ago, of all teams, some thousand at once. While one is there, each change of a run of
 * its team is looked at. @returns true when there may be more
 */
export async function deleteOldCodehostReports(db: Queryable, keptDays: number): Promise<boolean> {
  const { count } = await db`
    delete from codehost_report where (team_id, run_id) in (
      select team_id, run_id from codehost_report where run_id < (select id_floor(db_now() - make_interval(days => ${keptDays}))) limit ${batch})`;
  return count === batch;
}

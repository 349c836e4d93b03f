import type { Database, Queryable } from "../database/database.ts";
import { allowLongStatements, transaction } from "../database/transaction.ts";
import { isNoTrial } from "../workflow/hidden-workflows.ts";
import { durationMs, monthBegin } from "./teams.ts";

/**
 * What the list of teams shows about the runs of this month would be read from all of them: hundreds of thousands per response. So it is
 * stored for the runs up to a moment; `listTeamUsage` and `listRunDurations` read only the later ones in addition, in the statement that
 * reads the stored part, so both are of one moment and nothing is counted twice or left out.
 *
 * This is exact because nothing before that moment changes any more. A run is submitted, or ends, at a time of the database's clock that
 * its transaction has read, and is visible after that has committed: long before `settledMinutes`, since transactions are cut off after
 * one. An ended run stays ended, and runs of the current month are not removed (docs/history.md), except for trials, which are left out.
 */

const settledMinutes = 10;
/**
 * So many later runs are read within milliseconds. Beyond a fraction of what is stored, they are added to it: rarely enough for large ones.
 */
const fewRuns = 1000;
const partOfKept = 50;

/** Updates the stored part, for teams with many later runs. @returns how many these are */
export async function updateRunTallies(sql: Database): Promise<number> {
  await sql`delete from run_tally where month_begins_at < (select ${monthBegin(sql)})`;
  const teams = await transaction(sql, async (tx) => {
    await allowLongStatements(tx);
    return findOutdated(tx);
  });
  for (const teamId of teams) await updateRunTally(sql, teamId);
  return teams.length;
}

/** The indexes run_pkey and run_ended say for each team whether there are so many; of an idle team, with one check of each month. */
async function findOutdated(db: Queryable): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.id
    from team t
      cross join (
        select begins_at, id_floor(begins_at) as first_id, (select db_now()) - make_interval(mins => ${settledMinutes}) as settled_at
        from (select ${monthBegin(db)} as begins_at) as month offset 0) as span
      left join run_tally k on k.team_id = t.id and k.month_begins_at = begins_at
      cross join lateral (select coalesce(k.until, begins_at) as since, greatest(${fewRuns}::int, k.runs / ${partOfKept}::int) as few) as kept
    where t.deleted_at is null and (
      exists (select from run r where r.team_id = t.id and r.id >= first_id and r.ended_at >= since and r.ended_at < settled_at
        offset few limit 1)
      or exists (select from run r where r.team_id = t.id and r.id >= id_floor(since) and r.id < id_floor(settled_at) offset few limit 1))`;
  return rows.map(({ id }) => id);
}

/** If two processes do it at once, the second one waits, and finds little to add. */
async function updateRunTally(sql: Database, teamId: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await allowLongStatements(tx);
    await tx`
      insert into run_tally (team_id, month_begins_at, until)
      select id, begins_at, begins_at from team, (select ${monthBegin(tx)} as begins_at) as month
      where id = ${teamId} and deleted_at is null
      on conflict (team_id) do nothing`;
    await tx`select 1 from run_tally where team_id = ${teamId} for no key update`;
    await tx`
      with kept as materialized (
        select k.*, id_floor(k.month_begins_at) as first_id, (select db_now()) - make_interval(mins => ${settledMinutes}) as settled_at
        from run_tally k where k.team_id = ${teamId} and k.month_begins_at = (select ${monthBegin(tx)})
      ), later as materialized (
        select ${durationMs(tx)} as ms from kept k
          join run r on r.team_id = k.team_id and r.id >= k.first_id and r.ended_at >= k.until and r.ended_at < k.settled_at
        where r.started_at is not null and ${isNoTrial(tx)}
      )
      update run_tally t set until = k.settled_at,
        runs = k.runs + (
          select count(*)::int from run r where r.team_id = k.team_id and r.id >= id_floor(k.until) and r.id < id_floor(k.settled_at)
            and ${isNoTrial(tx)}),
        total_ms = k.total_ms + (select coalesce(sum(ms), 0)::bigint from later),
        durations_ms = array(select ms from (select unnest(k.durations_ms) as ms union all select ms from later) as both_lists order by ms)
      from kept k where t.team_id = k.team_id and k.settled_at > k.until`;
  });
}

import type { Database, Queryable } from "../../database/database.ts";
import { allowLongStatements, transaction } from "../../database/transaction.ts";
import type { HiddenWorkflows } from "../../workflow/hidden-workflows.ts";

/**
 * The number of a team's task runs is stored up to a moment; a reader counts the later ones, in the statement that reads the stored number,
 * so both are of one moment. No task run gets an id older than the moment, as store/team/run-tallies.ts explains. Task runs are removed
 * with a purged workflow, which is subtracted in the same transaction, and with the months of history, after which everything is counted
 * again.
 *
 * A change of a tally locks its row first, and reads task runs in a later statement, so that each change sees the previous one.
 */

const settledMinutes = 10;
/** So many later task runs are counted in about a millisecond; nothing is stored for a team with fewer in total. */
const fewTaskRuns = 5000;
const partOfKept = 50;

/** Updates the stored numbers of teams with many later task runs. @returns how many these are */
export async function updateTaskRunTallies(sql: Database): Promise<number> {
  const teams = await transaction(sql, async (tx) => {
    await allowLongStatements(tx);
    return findOutdated(tx);
  });
  for (const teamId of teams) await updateTally(sql, teamId);
  return teams.length;
}

/** For each team with one check of the primary key, which is short where little is new. */
async function findOutdated(db: Queryable): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select t.id
    from team t
      cross join (select id_floor((select db_now()) - make_interval(mins => ${settledMinutes})) as settled_id) as span
      left join task_run_tally k on k.team_id = t.id
      cross join lateral (
        select id_floor(coalesce(k.until, 'epoch')) as first_id, greatest(${fewTaskRuns}::int, coalesce(k.total, 0) / ${partOfKept}::int) as few
      ) as kept
    where t.deleted_at is null and exists (
      select from task_run r where r.team_id = t.id and r.id >= first_id and r.id < settled_id offset few limit 1)`;
  return rows.map(({ id }) => id);
}

async function updateTally(sql: Database, teamId: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await allowLongStatements(tx);
    await lockTaskRunTally(tx, teamId);
    await tx`
      with kept as materialized (
        select k.*, (select db_now()) - make_interval(mins => ${settledMinutes}) as settled_at from task_run_tally k where k.team_id = ${teamId}
      )
      update task_run_tally t set until = k.settled_at,
        total = k.total + (
          select count(*) from task_run r where r.team_id = k.team_id and r.id >= id_floor(k.until) and r.id < id_floor(k.settled_at))
      from kept k where t.team_id = k.team_id and k.settled_at > k.until`;
  });
}

/** Before task runs of the team are removed; `takenAway` is part of the statement that removes them. */
export async function lockTaskRunTally(tx: Queryable, teamId: string): Promise<void> {
  await tx`insert into task_run_tally (team_id) select id from team where id = ${teamId} on conflict (team_id) do nothing`;
  await tx`select 1 from task_run_tally where team_id = ${teamId} for no key update`;
}

/** Part of the statement that removes task runs, whose part `tasks` returns their ids. */
export const takenAway = (db: Queryable, teamId: string) => db`
  update task_run_tally k set total = k.total - (select count(*) from tasks where tasks.id < id_floor(k.until)) where k.team_id = ${teamId}`;

/** In the transaction that removes task runs of many teams. */
export async function forgetTaskRunTallies(tx: Queryable): Promise<void> {
  await tx`update task_run_tally set until = default, total = default`;
}

/** All task runs of a team except those of hidden workflows; undefined: nothing is stored. */
export async function countByTally(db: Queryable, teamId: string, hidden: HiddenWorkflows): Promise<number | undefined> {
  const ofHidden = db`
    - (select count(*) from run h join task_run t on t.team_id = h.team_id and t.run_id = h.id
       where h.team_id = k.team_id and h.workflow_id = any(${hidden.ids}::uuid[]))`;
  const [row] = await db<{ total: number }[]>`
    select (k.total + (select count(*) from task_run t where t.team_id = k.team_id and t.id >= id_floor(k.until))
      ${hidden.ids.length > 0 ? ofHidden : db``})::int as total
    from task_run_tally k where k.team_id = ${teamId} and k.until > 'epoch'`;
  return row?.total;
}

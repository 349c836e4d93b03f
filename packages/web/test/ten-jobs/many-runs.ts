import { indexRuns } from "../../../server/src/domain/run/lists/index-runs.ts";
import type { Database } from "../../../server/src/store/database/database.ts";

/** This many runs of the workflow `orders`, each with a different order, over a month; that of `order` failed yesterday. Returns its ID. */
export async function addManyRuns(sql: Database, teamId: string, count: number, order: string): Promise<string> {
  await sql`
    with workflow as (select id from workflow where team_id = ${teamId} and name = 'orders'),
    numbered as (select n, 'A-' || n as name, db_now() - (${count} - n) * interval '26 seconds' as ended from generate_series(1, ${count}::int) n),
    added as (
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, initiated_by,
        layers, params, task_count, started_at, ended_at)
      select ${teamId}, workflow.id, new_id(), 1, '{}', case when name = ${order} or n % 50 = 0 then 'failed' else 'succeeded' end,
        'completed', 'manual', 'schedule:one', '{}', json_build_array(json_build_object('name', 'order', 'value', name)), 2,
        case when name = ${order} then db_now() - interval '1 day' else ended end,
        case when name = ${order} then db_now() - interval '1 day' else ended end
      from numbered, workflow returning team_id, id)
    insert into run_search_due (team_id, run_id) select team_id, id from added`;
  for (let round = await indexRuns(sql, 5_000, 0); round.done > 0; ) round = await indexRuns(sql, 5_000, 0);
  await sql.unsafe("vacuum (analyze) run, run_search");
  const [run] = await sql<{ id: string }[]>`
    select id from run where team_id = ${teamId} and params::jsonb @> ${sql.json([{ name: "order", value: order }])}`;
  if (run === undefined) throw new Error(`no run has the order ${order}`);
  return run.id;
}

import { waitKinds } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";

/** Of a run of many thousand items, no more are looked at. */
const maxLooked = 10_000;

/**
 * What a run waits for that has begun and of which nothing runs, as a column of a statement about `run r`: a run that is active, has not
 * begun or is over costs nothing. Through the index task_run_run.
 */
export function waitKindsOf(db: Queryable) {
  return db`case when r.phase = 'running' and r.activity = 'none' then array(
    select distinct q.wait_kind from (
      select t.wait_kind from task_run t
      where t.team_id = r.team_id and t.run_id = r.id and t.status = 'waiting' and t.wait_kind = any(${[...waitKinds]})
      limit ${maxLooked}) q
    order by q.wait_kind) else '{}' end as "waitKinds"`;
}

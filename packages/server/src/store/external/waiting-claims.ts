import type { Queryable } from "../database/database.ts";

/** For waiting claims of external workers of several teams in this process: one statement checks for all of them. */

/** Of the given teams and needs, those with something to claim: one lookup in the index task_run_claimable for each. */
export async function listReadyNeeds(
  db: Queryable,
  wanted: readonly { teamId: string; need: string }[],
): Promise<{ teamId: string; need: string }[]> {
  return db<{ teamId: string; need: string }[]>`
    select w.team_id as "teamId", w.need
    from (select * from unnest(${wanted.map(({ teamId }) => teamId)}::uuid[], ${wanted.map(({ need }) => need)}::text[]) as u(team_id, need)
          limit ${wanted.length}) w
    cross join lateral (
      select 1 from task_run q where q.team_id = w.team_id and q.place = w.need and q.claimable_at is not null
      order by q.claimable_at, q.id limit 1) first`;
}

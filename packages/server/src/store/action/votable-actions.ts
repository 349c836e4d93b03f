import type { Queryable } from "../database/database.ts";
import { type ActionRow, actionColumns, actionSource } from "./actions.ts";
import { type Ballot, isVotable } from "./ballot.ts";

/** The oldest first, of several teams at once (index action_status). */
export async function listVotableActions(
  db: Queryable,
  teamIds: readonly string[],
  ballot: Ballot,
  limit: number,
): Promise<(ActionRow & { teamId: string })[]> {
  return db<(ActionRow & { teamId: string })[]>`
    select a.team_id as "teamId", ${actionColumns(db)} from ${actionSource(db)}
    where (a.team_id, a.id) in (
      select a.team_id, a.id from action a join workflow w on w.team_id = a.team_id and w.id = a.workflow_id and w.deleted_at is null
      where a.team_id = any(${[...teamIds]}::uuid[]) and ${isVotable(db, ballot)}
      order by a.created_at, a.id limit ${limit})
    order by a.created_at, a.id`;
}

import type { Status, WaitKind } from "@millrace/contract/status.ts";
import type { Queryable } from "../database/database.ts";
import { waitKindsOf } from "../run/runs.ts";

/** The workflows that a person has marked. They belong to that person, and change nothing for others. */

/** The most favourites of a person in a team; the oldest stay. */
const mostFavourites = 200;

export async function insertFavourite(db: Queryable, teamId: string, workflowId: string, userId: string): Promise<void> {
  await db`
    insert into favourite (team_id, user_id, workflow_id) select ${teamId}, ${userId}, ${workflowId}
    where (select count(*) from favourite f where f.user_id = ${userId} and f.team_id = ${teamId}) < ${mostFavourites}
    on conflict do nothing`;
}

export async function deleteFavourite(db: Queryable, teamId: string, workflowId: string, userId: string): Promise<void> {
  await db`delete from favourite where team_id = ${teamId} and user_id = ${userId} and workflow_id = ${workflowId}`;
}

export async function listFavouriteIds(db: Queryable, teamId: string, userId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select workflow_id as id from favourite where team_id = ${teamId} and user_id = ${userId}`;
  return rows.map(({ id }) => id);
}

export interface FavouriteRow {
  teamId: string;
  workflowId: string;
  workflowName: string;
  workflowDisplayName: string;
  /** Null: it has no runs. */
  run: { id: string; status: Status; waitKinds: WaitKind[]; createdAt: string } | null;
}

/** By name, each with its newest run (index run_workflow). @param withRuns teams of which the person may read runs */
export async function listFavourites(
  db: Queryable,
  userId: string,
  teamIds: readonly string[],
  withRuns: readonly string[],
  limit: number,
): Promise<FavouriteRow[]> {
  return db<FavouriteRow[]>`
    select w.team_id as "teamId", w.id as "workflowId", w.name as "workflowName", w.display_name as "workflowDisplayName",
      (select json_build_object('id', n.id, 'status', n.status, 'waitKinds', n."waitKinds", 'createdAt', iso_time(n.created_at)) from (
        select r.id, r.status, ${waitKindsOf(db)}, r.created_at from run r
        where r.team_id = w.team_id and r.workflow_id = w.id and r.team_id = any(${[...withRuns]}::uuid[]) order by r.id desc limit 1) n) as run
    from favourite f join workflow w on w.team_id = f.team_id and w.id = f.workflow_id and w.deleted_at is null and w.archived_at is null
    where f.user_id = ${userId} and f.team_id = any(${[...teamIds]}::uuid[])
    order by w.display_name, w.id limit ${limit}`;
}

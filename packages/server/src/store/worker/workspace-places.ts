import type { Queryable } from "../database/database.ts";

/**
 * Which folder has the workspaces of runs and workflows (table workspace_place). Claims write it, and engine-upkeep.ts deletes it; here it
 * is read.
 */

/** A folder of workspaces. Its path is for the operator only (engine-upkeep.ts has it for the log). */
export interface PlaceRow {
  id: string;
  host: string;
  seenAt: Date;
}

/** What a run has in one place. */
export interface HeldWorkspaces {
  ownerId: string;
  kind: "folder" | "image";
  place: string;
  /** Absent for the cluster. */
  host: string | null;
  seenAt: Date | null;
  /** The store has all of it, or it is empty. */
  isStored: boolean;
}

/** Where the workspaces of these runs and workflows of a team are. */
export async function listHeldWorkspaces(db: Queryable, teamId: string, ownerIds: readonly string[]): Promise<HeldWorkspaces[]> {
  return db<HeldWorkspaces[]>`
    select w.owner_id as "ownerId", w.kind, w.place, p.host, p.seen_at as "seenAt", coalesce(c.state <> 'local', false) as "isStored"
    from workspace_place w left join place p on p.id = w.place
      left join workspace_archive c on c.team_id = w.team_id and c.owner_id = w.owner_id
    where w.team_id = ${teamId} and w.owner_id = any(${[...ownerIds]}::uuid[])`;
}

/** Of these runs, those of which a task has succeeded in a folder of a machine: their workspaces have been there. */
export async function listRunsWithFolders(db: Queryable, teamId: string, runIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select r.id from unnest(${[...runIds]}::uuid[]) as r(id)
    where exists (
      select from task_run t join task_run_attempt a on a.team_id = t.team_id and a.task_run_id = t.id
      where t.team_id = ${teamId} and t.run_id = r.id and t.status = 'succeeded' and a.status = 'succeeded'
        and a.executor in ('process', 'container'))`;
  return rows.map(({ id }) => id);
}

/** Folders where task runs of this team wait. */
export async function listPlaces(db: Queryable, ids: readonly string[]): Promise<PlaceRow[]> {
  return db<PlaceRow[]>`select id, host, seen_at as "seenAt" from place where id = any(${[...ids]})`;
}

import type { Queryable } from "../database/database.ts";

/**
 * Workflows of a team that are deleted and not purged yet. What belongs to them is hidden with them. There are nearly always none, and
 * then a list that leaves out what is theirs needs no look at its rows (index workflow_hidden).
 */
export interface HiddenWorkflows {
  ids: string[];
  /** Another one after each deletion and purge. */
  state: string;
}

export async function listHiddenWorkflows(db: Queryable, teamId: string): Promise<HiddenWorkflows> {
  const rows = await db<{ id: string; deletedAt: Date }[]>`
    select id, deleted_at as "deletedAt" from workflow where team_id = ${teamId} and deleted_at is not null order by deleted_at desc`;
  const ids = rows.map(({ id }) => id);
  return { ids, state: `${ids.length} ${ids[0] ?? ""} ${rows[0]?.deletedAt.getTime() ?? ""}` };
}

/** The ids of these workflows of a team (names or ids) that are not hidden: a list to compare with. */
export function workflowIds(db: Queryable, teamId: string, refs: readonly string[], ids: readonly string[]) {
  return db`
    array(select f.id from workflow f where f.team_id = ${teamId} and f.deleted_at is null and f.name = any(${refs.map((ref) => ref.toLowerCase())})
          union select f.id from workflow f where f.team_id = ${teamId} and f.deleted_at is null and f.id = any(${[...ids]}::uuid[]))`;
}

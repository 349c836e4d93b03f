import type { Queryable } from "../database/database.ts";

/** An archived workflow is inactive, and left out of lists. Its status before is stored beside it. Both under the workflow's lock. */
export async function archiveWorkflow(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`
    update workflow set archived_at = (select db_now()), archived_from = status, status = 'inactive'
    where team_id = ${teamId} and id = ${id} and archived_at is null`;
}

export async function restoreWorkflow(db: Queryable, teamId: string, id: string): Promise<void> {
  await db`
    update workflow set archived_at = null, archived_from = null, status = coalesce(archived_from, status)
    where team_id = ${teamId} and id = ${id} and archived_at is not null`;
}

export async function isWorkflowArchived(db: Queryable, teamId: string, id: string): Promise<boolean> {
  const [row] = await db`select from workflow where team_id = ${teamId} and id = ${id} and archived_at is not null`;
  return row !== undefined;
}

/** Of the team (index workflow_archived). */
export async function countArchivedWorkflows(db: Queryable, teamId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from workflow where team_id = ${teamId} and archived_at is not null and deleted_at is null`;
  return row!.count;
}

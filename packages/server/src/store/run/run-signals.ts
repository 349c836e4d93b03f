import type { Queryable } from "../database/database.ts";

/**
 * Cancels all runs of a team, or of one workflow of it, that are not over (indexes run_queued and run_running), as soon as the
 * engine looks.
 */
export async function signalOpenRuns(
  db: Queryable,
  { teamId, workflowId }: { teamId: string; workflowId?: string },
  message: string,
): Promise<void> {
  await db`
    insert into run_signal (team_id, run_id, kind, data)
    select r.team_id, r.id, 'cancel', ${JSON.stringify({ message })}::json
    from run r where r.team_id = ${teamId} and r.phase in ('pending', 'queued', 'running')
      ${workflowId === undefined ? db`` : db`and r.workflow_id = ${workflowId}`}`;
}

/** @returns false when someone else has already dealt with it */
export async function deleteSignal(db: Queryable, teamId: string, id: number): Promise<boolean> {
  const rows = await db`delete from run_signal where team_id = ${teamId} and id = ${id} returning 1`;
  return rows.length > 0;
}

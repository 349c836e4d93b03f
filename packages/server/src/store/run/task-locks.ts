import type { Queryable, Transaction } from "../database/database.ts";

export interface LockRequest {
  teamId: string;
  key: string;
  runId: string;
  taskRunId: string;
}

/**
 * Takes a named lock for a run, or returns its holder. Exclusive through the primary key: of two concurrent requests, one inserts and the
 * other waits for its transaction and then finds the row. A run that already holds the lock keeps it.
 */
export async function takeLock(tx: Transaction, request: LockRequest): Promise<{ held: true } | { held: false; holder: string }> {
  for (;;) {
    const inserted = await tx`
      insert into task_lock (team_id, key, run_id, task_run_id)
      values (${request.teamId}, ${request.key}, ${request.runId}, ${request.taskRunId})
      on conflict (team_id, key) do nothing returning 1`;
    if (inserted.length > 0) return { held: true };
    const holder = await findHolder(tx, request);
    if (holder?.runId === request.runId) return { held: true };
    if (holder) return { held: false, holder: `run ${holder.runId}${holder.workflow ? ` of workflow "${holder.workflow}"` : ""}` };
    // The holder released it between the two statements: try again.
  }
}

async function findHolder(tx: Transaction, { teamId, key }: LockRequest): Promise<{ runId: string; workflow: string | null } | undefined> {
  const [row] = await tx<{ runId: string; workflow: string | null }[]>`
    select l.run_id as "runId", w.name as workflow
    from task_lock l
    left join run r on r.team_id = l.team_id and r.id = l.run_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where l.team_id = ${teamId} and l.key = ${key}`;
  return row;
}

export interface LockHolder {
  key: string;
  runId: string;
  workflowName: string | null;
}

/** The current holders of these locks of a team; free ones are left out. */
export async function listLockHolders(db: Queryable, teamId: string, keys: readonly string[]): Promise<LockHolder[]> {
  return db<LockHolder[]>`
    select l.key, l.run_id as "runId", w.name as "workflowName"
    from task_lock l
    left join run r on r.team_id = l.team_id and r.id = l.run_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where l.team_id = ${teamId} and l.key = any(${[...keys]})`;
}

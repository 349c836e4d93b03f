import { undecidedPlace } from "../../core/worker/workspace-place.ts";
import type { Database, Queryable, Transaction } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";

/**
 * Workspaces of runs in which no task has finished: their first worker died, or its machine has a fault. Nothing in them is worth waiting
 * for, so the run starts in another place. A workspace of a workflow may contain files of earlier runs, so a run that shares one stays.
 */

interface StuckRun {
  teamId: string;
  runId: string;
  place: string;
}

/** Runs examined in one call. */
const batchSize = 200;

/** @returns the number of runs that any worker may claim now */
export async function releaseUnusedWorkspaces(db: Database): Promise<number> {
  const stuck = await listStuckRuns(db);
  let released = 0;
  for (const run of stuck) if (await transaction(db, (tx) => release(tx, run), { access: "write" })) released++;
  return released;
}

/** Of places whose workers no longer exist or can't run anything. */
async function listStuckRuns(db: Queryable): Promise<StuckRun[]> {
  return db<StuckRun[]>`
    select distinct t.team_id as "teamId", t.run_id as "runId", t.place
    from place p cross join ready_team rt join task_run t on t.team_id = rt.team_id and t.place = p.id and t.claimable_at is not null
    where not exists (select from worker w where w.place = p.id and w.lease_until > (select db_now()) and cardinality(w.executors) > 0)
      and not exists (select from workspace_place o join run r on r.team_id = t.team_id and r.id = t.run_id
                      where o.team_id = t.team_id and o.owner_id = r.workflow_id and o.place = p.id)
      and ${wasNeverUsed(db)}
    limit ${batchSize}`;
}

/** No task of the run has finished an attempt in a folder, and none is running. */
function wasNeverUsed(db: Queryable) {
  return db`not exists (
    select from task_run o left join task_run_attempt a on a.team_id = o.team_id and a.task_run_id = o.id
    where o.team_id = t.team_id and o.run_id = t.run_id
      and (o.worker_id is not null or a.status <> 'lost' and a.executor in ('process', 'container')))`;
}

/**
 * The run is locked against tasks that become ready, then its claimable tasks against workers that come back. So the result stays true
 * until the end of the transaction.
 */
async function release(tx: Transaction, { teamId, runId, place }: StuckRun): Promise<boolean> {
  await tx`select from run where id = ${runId} and (team_id = ${teamId}) is true for update`;
  const locked = await tx`
    select from task_run where team_id = ${teamId} and run_id = ${runId} and claimable_at is not null for update skip locked`;
  const [now] = await tx<{ claimable: number; isUnused: boolean }[]>`
    select count(*)::int as claimable, bool_and(${wasNeverUsed(tx)}) as "isUnused"
    from task_run t where t.team_id = ${teamId} and t.run_id = ${runId} and t.claimable_at is not null`;
  if (now?.claimable !== locked.length || !now.isUnused) return false;
  await tx`delete from workspace_place where team_id = ${teamId} and owner_id = ${runId} and place = ${place}`;
  await tx`delete from workspace_archive where team_id = ${teamId} and owner_id = ${runId}`;
  await tx`
    update task_run set place = ${undecidedPlace}
    where team_id = ${teamId} and run_id = ${runId} and claimable_at is not null and place = ${place}`;
  return true;
}

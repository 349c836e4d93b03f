import type { RunNeed } from "../core/place-task.ts";
import type { WorkerLoad } from "../core/slot-shares.ts";
import type { ExecutorKind } from "../core/tekton/runnable.ts";
import type { Queryable } from "./database.ts";

export interface NewWorker {
  host: string;
  pid: number;
  roles: string[];
  /** That work now. */
  executors: ExecutorKind[];
  /** That it was told to have. */
  configured: ExecutorKind[];
  labels: string[];
  slots: number;
  leaseSeconds: number;
}

/** Registers this process; its row is the lease of every attempt that it claims. */
export async function insertWorker(db: Queryable, worker: NewWorker): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into worker (host, pid, roles, executors, configured, labels, slots, lease_until)
    values (${worker.host}, ${worker.pid}, ${worker.roles}, ${worker.executors}, ${worker.configured}, ${worker.labels}, ${worker.slots},
            db_now() + make_interval(secs => ${worker.leaseSeconds}))
    returning id`;
  if (!row) throw new Error("the worker's row was not inserted");
  return row.id;
}

/**
 * @param executors that work now
 * @returns false when the lease had run out and somebody removed the row: everything that was claimed under it is lost
 */
export async function extendLease(
  db: Queryable,
  workerId: string,
  leaseSeconds: number,
  executors: readonly ExecutorKind[],
): Promise<boolean> {
  const rows = await db`
    update worker set lease_until = db_now() + make_interval(secs => ${leaseSeconds}), executors = ${[...executors]}
    where id = ${workerId} and lease_until > db_now() returning 1`;
  return rows.length > 0;
}

/**
 * Ends the lease of a worker that stops. Its row stays for a while: a claim that is still on its way in a broken connection is found lost by
 * it. It goes when the idle are pruned.
 */
export async function endLease(db: Queryable, workerId: string): Promise<void> {
  await db`update worker set lease_until = db_now() where id = ${workerId} and lease_until > db_now()`;
}

export interface LiveWorker {
  /** That work now. */
  executors: ExecutorKind[];
  /** That it was told to have. */
  configured: ExecutorKind[];
  labels: string[];
  slots: number;
  /** Slots that are taken, by task runs of whatever team. */
  busy: number;
  /** What the team that asks has of them; absent where all teams are looked at together. */
  share?: Pick<WorkerLoad, "held" | "otherHolders" | "hasSeveralTeams">;
}

/** Workers whose lease holds: why a ready task run of this team is not claimed. */
export async function listLiveWorkers(db: Queryable, teamId: string): Promise<LiveWorker[]> {
  return db<LiveWorker[]>`
    select w.executors, w.configured, w.labels, w.slots, load.busy,
      json_build_object('held', load.held, 'otherHolders', load.other_holders,
        'hasSeveralTeams', (select count(*) from (select from team t where t.status = 'active' limit 2) active) > 1) as share
    from worker w cross join lateral (
      select count(*)::int as busy, count(*) filter (where t.team_id = ${teamId}) as held,
        count(distinct t.team_id) filter (where t.team_id <> ${teamId}) as other_holders
      from task_run t where t.worker_id = w.id and t.status = 'running') load
    where w.lease_until > (select db_now())`;
}

export interface HeldAttempt {
  teamId: string;
  runId: string;
  id: string;
  attempt: number;
}

export interface Claim extends HeldAttempt {
  node: number;
  item: number | null;
  deadlineAt: Date | null;
  claimedAt: Date;
  /** What the task run asks of its executor. */
  need: RunNeed;
  /** So many attempts right before this one were lost. */
  losses: number;
}

/**
 * Takes ready task runs for a worker, each as a new attempt (schema: claim_task_runs).
 * @param reserved slots that are kept for other teams, when there are several
 */
export async function claimTaskRuns(
  db: Queryable,
  workerId: string,
  wanted: number,
  needs: readonly RunNeed[],
  labels: string[],
  reserved = 0,
): Promise<Claim[]> {
  return db<Claim[]>`
    select team_id as "teamId", run_id as "runId", id, node, item, attempt, deadline_at as "deadlineAt", claimed_at as "claimedAt", need, losses
    from claim_task_runs(${workerId}, ${wanted}, ${[...needs]}, ${labels}, ${reserved})`;
}

/** Attempts that the database shows as held by a worker. */
export async function listHeldAttempts(db: Queryable, workerId: string): Promise<HeldAttempt[]> {
  return db<HeldAttempt[]>`
    select team_id as "teamId", run_id as "runId", id, attempt from task_run where worker_id = ${workerId} and status = 'running'`;
}

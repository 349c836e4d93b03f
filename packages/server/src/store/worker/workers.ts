import type { RunNeed } from "../../core/task/place-task.ts";
import type { ExecutorKind } from "../../core/task/tekton/runnable.ts";
import type { WorkerLoad } from "../../core/worker/slot-shares.ts";
import type { WorkerLook } from "../../core/worker/worker-watch.ts";
import type { Queryable } from "../database/database.ts";

export type ExecutorFaults = Partial<Record<ExecutorKind, string>>;

export interface NewWorker {
  host: string;
  pid: number;
  roles: string[];
  /** Executors that work now. */
  executors: ExecutorKind[];
  /** Executors that it is configured to have. */
  configured: ExecutorKind[];
  /** Why some do not work now, if the machine has a fault: worded for all users. */
  faults?: ExecutorFaults;
  labels: string[];
  slots: number;
  leaseSeconds: number;
  /** Its folder of workspaces; without one it takes no task that shares a folder with others. */
  place?: WorkerPlace | undefined;
}

/** A folder of workspaces. */
export interface WorkerPlace {
  /** Stored in the folder: the same for all its users, at all times. */
  id: string;
  host: string;
  /** On that host. */
  path: string;
}

/** Registers this process; its row is the lease of every attempt that it claims. */
export async function insertWorker(db: Queryable, worker: NewWorker): Promise<string> {
  const place = worker.place ?? { id: null, host: "", path: "" };
  const [row] = await db<{ id: string }[]>`
    with known as (
      insert into place (id, host, path) select ${place.id}::text, ${place.host}, ${place.path} where ${place.id}::text is not null
      on conflict (id) do update set host = excluded.host, path = excluded.path, seen_at = excluded.seen_at)
    insert into worker (host, pid, roles, executors, configured, faults, labels, slots, lease_until, lease_seconds, place)
    values (${worker.host}, ${worker.pid}, ${worker.roles}, ${worker.executors}, ${worker.configured}, ${db.json(worker.faults ?? {})},
            ${worker.labels}, ${worker.slots}, db_now() + make_interval(secs => ${worker.leaseSeconds}), ${worker.leaseSeconds}, ${place.id})
    returning id`;
  if (!row) throw new Error("the worker's row was not inserted");
  return row.id;
}

/** For a worker whose folder of workspaces was not usable when it was registered. */
export async function setWorkerPlace(db: Queryable, workerId: string, { id, host, path }: WorkerPlace): Promise<void> {
  await db`
    with known as (
      insert into place (id, host, path) values (${id}, ${host}, ${path})
      on conflict (id) do update set host = excluded.host, path = excluded.path, seen_at = excluded.seen_at
      returning id)
    update worker w set place = known.id from known where w.id = ${workerId}`;
}

/**
 * A heartbeat: the lease is valid for this time from now on, even if it had expired because the database was unreachable. Attempts that the
 * worker lost in the meantime stay lost, by their fences. The row must not wait for the disk: if a crash of the database loses a heartbeat,
 * the next one follows.
 * @returns false if the row no longer exists: the worker was lost long ago, with everything that was claimed under it
 */
export async function sendHeartbeat(db: Queryable, workerId: string, leaseSeconds: number): Promise<boolean> {
  const rows = await db`
    with quick as materialized (select set_config('synchronous_commit', 'off', true) as off)
    update worker set lease_until = db_now() + make_interval(secs => ${leaseSeconds}) from quick
    where id = ${workerId} and quick.off = 'off' returning 1`;
  return rows.length > 0;
}

/**
 * Stores which executors of a worker work now; also a heartbeat of the worker and of its folder of workspaces.
 * @returns the attempts that the database shows as its; undefined: it has no such worker any more
 */
export async function extendLease(
  db: Queryable,
  workerId: string,
  leaseSeconds: number,
  executors: readonly ExecutorKind[],
  faults: ExecutorFaults = {},
): Promise<HeldAttempt[] | undefined> {
  const [row] = await db<{ held: HeldAttempt[] }[]>`
    with beating as (
      update worker set lease_until = db_now() + make_interval(secs => ${leaseSeconds}), executors = ${[...executors]}, faults = ${db.json(faults)}
      where id = ${workerId} returning place),
    seen as (
      update place p set seen_at = db_now() from beating b where p.id = b.place and p.seen_at < db_now() - interval '10 seconds')
    select coalesce(
      (select json_agg(json_build_object('teamId', team_id, 'runId', run_id, 'id', id, 'attempt', attempt))
        from task_run where worker_id = ${workerId} and status = 'running'), '[]') as held
    from beating`;
  return row?.held;
}

/**
 * What an engine needs to judge workers, and which of those with an expired lease hold attempts: usually none, and then nothing else is
 * queried.
 */
export async function checkWorkers(db: Queryable): Promise<WorkerLook & { holders: string[] }> {
  const [row] = await db<{ now: Date; workers: WorkerLook["workers"]; holders: string[] }[]>`
    with clock as materialized (select db_now() as now)
    select clock.now, coalesce((select json_agg(json_build_object('id', id, 'until', extract(epoch from lease_until) * 1000,
        'leaseMs', lease_seconds * 1000)) from worker), '[]') as workers,
      array(select w.id from worker w where w.lease_until < clock.now + interval '1 second'
            and exists (select from task_run t where t.worker_id = w.id and t.status = 'running')) as holders
    from clock`;
  if (!row) throw new Error("the look at the workers returned no row");
  return { now: row.now.getTime(), workers: row.workers, holders: row.holders };
}

/**
 * Ends the lease of a worker that stops. Its row stays for a while, so that a claim that is still on its way in a broken connection is
 * found lost. It is deleted when idle rows are pruned.
 */
export async function endLease(db: Queryable, workerId: string): Promise<void> {
  await db`update worker set lease_until = db_now() where id = ${workerId} and lease_until > db_now()`;
}

/**
 * Ends leases that are valid only because the clock was set back after their last heartbeat, for everything that compares them with it. A
 * worker that lives nevertheless renews its own.
 */
export async function endLeases(db: Queryable, workers: readonly { id: string; until: number }[]): Promise<void> {
  await db`
    update worker w set lease_until = db_now() from unnest(${workers.map(({ id }) => id)}::uuid[], ${workers.map(({ until }) => until)}::float8[]) seen (id, until)
    where w.id = seen.id and extract(epoch from w.lease_until) * 1000 = seen.until and w.lease_until > db_now()`;
}

/** Kinds of executors that a live worker has and that work now. */
export async function listExecutorsAtWork(db: Queryable): Promise<ExecutorKind[]> {
  const rows = await db<{ kind: ExecutorKind }[]>`
    select distinct unnest(executors) as kind from worker where lease_until > (select db_now())`;
  return rows.map(({ kind }) => kind);
}

export interface LiveWorker {
  /** Executors that work now. */
  executors: ExecutorKind[];
  /** Executors that it is configured to have. */
  configured: ExecutorKind[];
  /** Why some do not work now, if the machine has a fault. */
  faults: ExecutorFaults;
  labels: string[];
  slots: number;
  /** Id of its folder of workspaces; absent if it isn't requested. */
  place?: string | null;
  /** Slots in use, by task runs of any team. */
  busy: number;
  /** What the team that asks has of them; absent where all teams are examined together. */
  share?: Pick<WorkerLoad, "held" | "otherHolders" | "hasSeveralTeams">;
}

/** Workers of the service with a valid lease: why a ready task run of this team is not claimed. */
export async function listLiveWorkers(db: Queryable, teamId: string): Promise<LiveWorker[]> {
  return db<LiveWorker[]>`
    select w.executors, w.configured, w.faults, w.labels, w.slots, w.place, load.busy,
      json_build_object('held', load.held, 'otherHolders', load.other_holders,
        'hasSeveralTeams', (select count(*) from (select from team t where t.status = 'active' limit 2) active) > 1) as share
    from worker w cross join lateral (
      select count(*)::int as busy, count(*) filter (where t.team_id = ${teamId}) as held,
        count(distinct t.team_id) filter (where t.team_id <> ${teamId}) as other_holders
      from task_run t where t.worker_id = w.id and t.status = 'running') load
    where w.lease_until > (select db_now()) and w.team_id is null`;
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
  /** How many attempts directly before this one were lost. */
  losses: number;
}

/**
 * Claims ready task runs for a worker, each as a new attempt (schema: claim_task_runs).
 * @param reserved slots that are reserved for other teams, if there are several
 * @param places for each of the needs where the worker would find workspaces; without them it gets no task that has any
 */
export async function claimTaskRuns(
  db: Queryable,
  workerId: string,
  wanted: number,
  needs: readonly RunNeed[],
  labels: string[],
  reserved = 0,
  places: readonly string[] = [],
): Promise<Claim[]> {
  return db<Claim[]>`
    select team_id as "teamId", run_id as "runId", id, node, item, attempt, deadline_at as "deadlineAt", claimed_at as "claimedAt", need, losses
    from claim_task_runs(${workerId}, ${wanted}, ${[...needs]}, ${labels}, ${reserved}, ${[...places]})`;
}

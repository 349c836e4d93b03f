import type { RunNeed } from "../../../core/task/place-task.ts";
import type { ExecutorKind } from "../../../core/task/tekton/runnable.ts";
import type { Queryable } from "../../database/database.ts";
import type { LiveWorker } from "../../worker/workers.ts";

/** What the operator of an instance sees of its workers and of waiting task runs: of all teams, so no statement here takes a team. */

export interface WorkerRow extends LiveWorker {
  id: string;
  host: string;
  pid: number;
  roles: string[];
  startedAt: Date;
  leaseUntil: Date;
  isAlive: boolean;
}

/** Workers of the service: the live ones first, then the others, the latest first. */
export async function listWorkers(db: Queryable, limit: number): Promise<WorkerRow[]> {
  return db<WorkerRow[]>`
    select w.id, w.host, w.pid, w.roles, w.executors::text[] as executors, w.configured, w.faults, w.labels, w.slots, w.place, w.started_at as "startedAt",
      w.lease_until as "leaseUntil", w.lease_until > (select db_now()) as "isAlive",
      (select count(*)::int from task_run t where t.worker_id = w.id and t.status = 'running') as busy
    from worker w where w.team_id is null order by w.lease_until > (select db_now()) desc, w.lease_until desc, w.id limit ${limit}`;
}

export interface ReadyGroup {
  teamId: string;
  executor: RunNeed | ExecutorKind;
  runsOn: string[];
  /** Where its workspaces are (core/worker/workspace-place.ts). */
  place: string;
  waiting: number;
  oldestAt: Date;
}

/** Task runs that can be claimed, by team and by what they need; checks so many at most (partial index on claimable_at). */
export async function countReady(db: Queryable, atMost: number): Promise<ReadyGroup[]> {
  return db<ReadyGroup[]>`
    select team_id as "teamId", executor, runs_on as "runsOn", place, count(*)::int as waiting, min(claimable_at) as "oldestAt"
    from (select t.team_id, t.executor, t.runs_on, t.place, t.claimable_at from task_run t
          where t.claimable_at is not null and t.executor is not null limit ${atMost}) ready
    group by team_id, executor, runs_on, place`;
}

/** Runs that wait in their team's queue; checks so many at most (partial index run_queued). */
export async function countQueuedRuns(db: Queryable, atMost: number): Promise<{ teamId: string; runs: number }[]> {
  return db<{ teamId: string; runs: number }[]>`
    select team_id as "teamId", count(*)::int as runs
    from (select r.team_id from run r where r.phase in ('pending', 'queued') limit ${atMost}) waiting
    group by team_id`;
}

import type { Queryable } from "../../database/database.ts";
import type { HeldAttempt } from "../../worker/workers.ts";

export interface SignalRow {
  id: number;
  teamId: string;
  runId: string;
  kind: "cancel" | "event" | "lock" | "child" | "retry";
  data: Record<string, unknown>;
}

/** What the engine should look at now, over all teams. */
export interface EngineWork {
  now: Date;
  /** Runs that have something due: a task run's wake time or deadline, or their own deadline. */
  due: { teamId: string; id: string }[];
  signals: SignalRow[];
  /** Runs that have not begun, or that have something to do again and no place. */
  hasRunsWithoutPlace: boolean;
  hasReadyTaskRuns: boolean;
  /** Limits that runs wait for and that may let one go on (schema: run_wake). */
  hasLimitsToLookAt: boolean;
  /** When the next thing becomes due by itself. */
  nextDueAt: Date | null;
}

/**
 * One statement for everything that a process must know when it wakes, so that an idle process asks once. Each part reads a partial
 * index that holds only what is open (task_run_due, run_due, run_startable, run_wanted, task_run_ready), or a table that is nearly
 * always empty.
 */
export async function findEngineWork(db: Queryable, limit: number): Promise<EngineWork> {
  const [row] = await db<
    (Omit<EngineWork, "nextDueAt"> & { nextTaskDueAt: Date | null; nextRunDueAt: Date | null; nextWakeAt: Date | null })[]
  >`
    with clock as materialized (select db_now() as now)
    select clock.now,
      coalesce((select json_agg(json_build_object('teamId', d.team_id, 'id', d.run_id)) from (
        (select team_id, run_id from task_run where due_at <= (select now from clock) order by due_at limit ${limit})
        union
        (select team_id, id from run where due_at <= (select now from clock) order by due_at limit ${limit})) d), '[]') as due,
      coalesce((select json_agg(json_build_object('id', s.id, 'teamId', s.team_id, 'runId', s.run_id, 'kind', s.kind, 'data', s.data) order by s.id)
        from (select n.id, n.team_id, n.run_id, n.kind, n.data from run_signal n
              where exists (select from run r where r.team_id = n.team_id and r.id = n.run_id) order by n.id limit ${limit}) s), '[]') as signals,
      exists (select from ready_team rt join lateral (
        select 1 from run q where q.team_id = rt.team_id and q.phase in ('pending', 'queued') and q.held_for is null limit 1) q on true)
      or exists (select from ready_team rt join lateral (
        select 1 from run q where q.team_id = rt.team_id and q.activity = 'wanted' limit 1) q on true) as "hasRunsWithoutPlace",
      exists (select from ready_team rt join lateral (
        select 1 from task_run q where q.team_id = rt.team_id and q.claimable_at is not null limit 1) q on true) as "hasReadyTaskRuns",
      exists (select from run_wake where due_at <= (select now from clock)) as "hasLimitsToLookAt",
      (select min(due_at) from run_wake where due_at > (select now from clock)) as "nextWakeAt",
      (select min(due_at) from task_run where due_at > (select now from clock)) as "nextTaskDueAt",
      (select min(due_at) from run where due_at > (select now from clock)) as "nextRunDueAt"
    from clock`;
  if (!row) throw new Error("the news statement returned no row");
  const { nextTaskDueAt, nextRunDueAt, nextWakeAt, ...news } = row;
  return { ...news, nextDueAt: earlier(earlier(nextTaskDueAt, nextRunDueAt), nextWakeAt) };
}

/** Attempts that these workers hold, of whatever team: the index task_run_worker has them. */
export async function listAttemptsOfWorkers(db: Queryable, workerIds: readonly string[], limit: number): Promise<HeldAttempt[]> {
  return db<HeldAttempt[]>`
    select t.team_id as "teamId", t.run_id as "runId", t.id, t.attempt from task_run t
    where t.worker_id = any(${[...workerIds]}::uuid[]) and t.status = 'running' limit ${limit}`;
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}

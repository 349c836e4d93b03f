import type { Queryable } from "../../database/database.ts";
import type { HeldAttempt } from "../../worker/workers.ts";

export interface SignalRow {
  id: number;
  teamId: string;
  runId: string;
  kind: "cancel" | "event" | "lock" | "child" | "retry";
  data: Record<string, unknown>;
}

/** What the engine should check now, over all teams. */
export interface EngineWork {
  now: Date;
  /** Runs with something due: a task run's wake time or deadline, or their own deadline. */
  due: { teamId: string; id: string }[];
  signals: SignalRow[];
  /** Runs that have not started, or that have something to continue and no slot. */
  hasRunsWithoutPlace: boolean;
  hasReadyTaskRuns: boolean;
  /** Limits that runs wait for and that may let one continue (schema: run_wake). */
  hasLimitsToCheck: boolean;
  /** When the next thing becomes due. */
  nextDueAt: Date | null;
}

/** Everything that a process must know when it is woken (store/functions/engine-work.sql). */
export async function findEngineWork(db: Queryable, limit: number): Promise<EngineWork> {
  const [row] = await db<EngineWork[]>`
    select now, due, signals, has_runs_without_place as "hasRunsWithoutPlace", has_ready_task_runs as "hasReadyTaskRuns",
      has_limits_to_look_at as "hasLimitsToCheck", next_due_at as "nextDueAt"
    from find_engine_work(${limit})`;
  if (!row) throw new Error("the news statement returned no row");
  return row;
}

/** Attempts that these workers hold, of any team (index task_run_worker). */
export async function listAttemptsOfWorkers(db: Queryable, workerIds: readonly string[], limit: number): Promise<HeldAttempt[]> {
  return db<HeldAttempt[]>`
    select t.team_id as "teamId", t.run_id as "runId", t.id, t.attempt from task_run t
    where t.worker_id = any(${[...workerIds]}::uuid[]) and t.status = 'running' limit ${limit}`;
}

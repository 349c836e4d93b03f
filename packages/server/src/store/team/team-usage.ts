import type { Queryable } from "../database/database.ts";
import { isNoTry } from "../workflow/hidden-workflows.ts";

export interface TeamUsageRow {
  teamId: string;
  workflowCount: number;
  /** Runs submitted in this calendar month (UTC), those of deleted workflows too. */
  runs: number;
  /** Those that are active, as the quota counts. */
  concurrentRuns: number;
  /** Those that have begun and only wait. */
  waitingRuns: number;
  monthBeginsAt: Date;
  /** First moment of the next month. */
  resetsAt: Date;
}

/**
 * What these teams use of their quotas; every team asked for has a row. Runs are found by their id, which begins with the time
 * (primary key alone, and only the partition of this month). The ids come as a list that the planner can't look into, so that it
 * keeps one plan: planning over all partitions takes ten times as long as the statement itself.
 */
export async function listTeamUsage(db: Queryable, teamIds: readonly string[]): Promise<TeamUsageRow[]> {
  return db<TeamUsageRow[]>`
    select t.id as "teamId",
      (select count(*)::int from workflow w where w.team_id = t.id and w.deleted_at is null and ${isNoTry(db)}) as "workflowCount",
      (select count(*)::int from run r where r.team_id = t.id and r.activity = 'active') as "concurrentRuns",
      (select count(*)::int from run r where r.team_id = t.id and r.phase = 'running' and r.activity = 'none') as "waitingRuns",
      (select count(*)::int from run r where r.team_id = t.id and r.id >= id_floor(begins_at)) as runs,
      begins_at as "monthBeginsAt",
      ((begins_at at time zone 'UTC') + interval '1 month') at time zone 'UTC' as "resetsAt"
    from (select value::uuid as id from json_array_elements_text(${JSON.stringify(teamIds)}::json)) as t
      cross join (select date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC' as begins_at) as month`;
}

export interface RunDurations {
  totalDurationMs: number;
  medianDurationMs: number;
}

/** How long the ended runs of this calendar month (UTC) took, by team. Reads the rows of all runs of the month: see duration-memory.ts. */
export async function listRunDurations(db: Queryable, teamIds: readonly string[]): Promise<(RunDurations & { teamId: string })[]> {
  if (teamIds.length === 0) return [];
  return db<(RunDurations & { teamId: string })[]>`
    select t.id as "teamId", round(ended.total) as "totalDurationMs", round(ended.median) as "medianDurationMs"
    from (select value::uuid as id from json_array_elements_text(${JSON.stringify(teamIds)}::json)) as t
      cross join (select date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC' as begins_at) as month
      cross join lateral (
        select coalesce(sum(ms), 0) as total, coalesce(percentile_cont(0.5) within group (order by ms), 0) as median
        from (select extract(epoch from r.ended_at - r.started_at)::float8 * 1000 as ms
              from run r where r.team_id = t.id and r.id >= id_floor(begins_at)) as took
      ) as ended`;
}

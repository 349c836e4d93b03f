import type { Queryable } from "../database/database.ts";
import { isNoTrial, isNoTry } from "../workflow/hidden-workflows.ts";

export interface TeamUsageRow {
  teamId: string;
  workflowCount: number;
  /** Runs submitted in this calendar month (UTC), including those of deleted workflows. */
  runs: number;
  /** Those that are active, as the quota counts. */
  concurrentRuns: number;
  /** Those that have started and only wait. */
  waitingRuns: number;
  monthBeginsAt: Date;
  /** First moment of the next month. */
  resetsAt: Date;
}

/**
 * How much of their quotas these teams use; every requested team has a row. Runs of this month are found by their id, which begins with the
 * time: those that are not counted in run_tally yet (primary key only, and only the partition of this month). Open runs are counted for all
 * teams at once, with the small indexes that contain only these. Runs that only wait may be many: they are all running ones, by run_running
 * alone, minus those that are active or want to be.
 */
export async function listTeamUsage(db: Queryable, teamIds: readonly string[]): Promise<TeamUsageRow[]> {
  const ofTeams = db`team_id = any(array(select id from t))`;
  return db<TeamUsageRow[]>`
    ${withTeams(db, teamIds)},
    created as (
      select team_id, count(*)::int as number from workflow w where ${ofTeams} and w.deleted_at is null and ${isNoTry(db)} group by team_id),
    running as (select team_id, count(*)::int as number from run where ${ofTeams} and phase = 'running' group by team_id),
    active as (
      select team_id, count(*)::int as number, count(*) filter (where phase = 'running')::int as running
      from run where ${ofTeams} and activity = 'active' group by team_id),
    wanted as (
      select team_id, count(*) filter (where phase = 'running')::int as running
      from run where ${ofTeams} and activity = 'wanted' group by team_id)
    select t.id as "teamId", coalesce(created.number, 0) as "workflowCount", coalesce(active.number, 0) as "concurrentRuns",
      coalesce(running.number, 0) - coalesce(active.running, 0) - coalesce(wanted.running, 0) as "waitingRuns",
      coalesce(k.runs, 0) + (select count(*)::int from run r where r.team_id = t.id and r.id >= coalesce(id_floor(k.until), month.first_id) and ${isNoTrial(db)}) as runs,
      begins_at as "monthBeginsAt",
      ((begins_at at time zone 'UTC') + interval '1 month') at time zone 'UTC' as "resetsAt"
    from ${teamsWithTally(db)}
      left join created on created.team_id = t.id left join running on running.team_id = t.id
      left join active on active.team_id = t.id left join wanted on wanted.team_id = t.id`;
}

export interface RunDurations {
  totalDurationMs: number;
  medianDurationMs: number;
}

/**
 * Durations of the ended runs of this calendar month (UTC), by team: those that ended after what is in run_tally, through the index
 * run_ended alone. Two bounds of the end show the planner that it is the narrower index, whatever its statistics are.
 */
export async function listRunDurations(db: Queryable, teamIds: readonly string[]): Promise<(RunDurations & { teamId: string })[]> {
  return db<(RunDurations & { teamId: string })[]>`
    ${withTeams(db, teamIds)}
    select t.id as "teamId", (coalesce(k.total_ms, 0) + later.total)::float8 as "totalDurationMs",
      round(coalesce(case when k.until is null then later.median else median_of_both(k.durations_ms, coalesce(later.sorted, '{}')) end, 0))
        as "medianDurationMs"
    from ${teamsWithTally(db)}
      cross join lateral (
        select coalesce(sum(ms), 0) as total, percentile_cont(0.5) within group (order by ms) as median,
          array_agg(ms order by ms) filter (where k.until is not null) as sorted
        from (select ${durationMs(db)} as ms
              from run r where r.team_id = t.id and r.id >= month.first_id
                and r.ended_at >= coalesce(k.until, month.begins_at) and r.ended_at < 'infinity' and r.started_at is not null
                and ${isNoTrial(db)}) as took
      ) as later`;
}

/**
 * The ids come as a list that the planner can't see, so that it caches one plan: planning over all partitions takes ten times as long as
 * the statement itself. The first id of the month is computed once, not for each run.
 */
const withTeams = (db: Queryable, teamIds: readonly string[]) => db`
  with t as materialized (select value::uuid as id from json_array_elements_text(${JSON.stringify(teamIds)}::json)),
    month as materialized (select begins_at, id_floor(begins_at) as first_id from (select ${monthBegin(db)} as begins_at) as present)`;

const teamsWithTally = (db: Queryable) => db`
  t cross join month left join run_tally k on k.team_id = t.id and k.month_begins_at = month.begins_at`;

export const monthBegin = (db: Queryable) => db`date_trunc('month', (select db_now()) at time zone 'UTC') at time zone 'UTC'`;

/** Of the run `r`. Whole milliseconds, as both times are. */
export const durationMs = (db: Queryable) => db`(date_part('epoch', r.ended_at - r.started_at) * 1000)::bigint`;

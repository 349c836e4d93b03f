import type { AbstractParam } from "@millrace/contract/common.ts";
import type { RetentionDays } from "@millrace/contract/retention.ts";
import { type QuotaName, quotaNames } from "@millrace/contract/team/quota.ts";
import type { TeamStatus } from "@millrace/contract/team/team.ts";
import type { QuotaOverrides } from "../../core/team/quota.ts";
import type { Queryable } from "../database/database.ts";
import { isUniqueViolation } from "../database/database-error.ts";
import { isNoTrial, isNoTry } from "../workflow/hidden-workflows.ts";

export interface TeamRow extends QuotaOverrides {
  id: string;
  name: string;
  displayName: string;
  status: TeamStatus;
  type: string | null;
  externalRef: string | null;
  labels: Record<string, string>;
  /** Values of secrets are encrypted. */
  parameters: AbstractParam[];
  /** Its tasks may use the network of the machine, if the instance allows it. */
  allowHostNetwork: boolean;
  allowPrivileged: boolean;
  /** The team's own retention, in days. */
  retention: RetentionDays;
  createdAt: Date;
}

/** For other statements that return teams; the table is named `team`. */
export const teamColumns = (db: Queryable) => db`
  team.id, team.name, team.display_name as "displayName", team.status, team.type, team.external_ref as "externalRef", team.labels,
  team.parameters, team.allows_host_network as "allowHostNetwork", team.allows_privileged as "allowPrivileged", team.retention, team.created_at as "createdAt", team.max_workflow_count as "maxWorkflowCount",
  team.max_workflow_run_monthly as "maxWorkflowRunMonthly", team.max_workflow_storage as "maxWorkflowStorage",
  team.max_workflow_run_storage as "maxWorkflowRunStorage", team.max_workflow_run_duration as "maxWorkflowRunDuration",
  team.max_concurrent_runs as "maxConcurrentRuns", team.max_waiting_runs as "maxWaitingRuns"`;

export async function findTeam(db: Queryable, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await db<TeamRow[]>`select ${teamColumns(db)} from team where id = ${teamId} and deleted_at is null`;
  return row;
}

/**
 * The team, locked until the transaction ends: changes of it, of its members and of its approver groups come one after the
 * other. Not the strongest lock, so that rows that refer to the team can be inserted meanwhile.
 */
export async function lockTeam(db: Queryable, teamId: string): Promise<TeamRow | undefined> {
  const [row] = await db<TeamRow[]>`
    select ${teamColumns(db)} from team where id = ${teamId} and deleted_at is null for no key update`;
  return row;
}

/**
 * Sets of documents are applied one at a time to a team, or to the instance: two at once would wait for each other's rows all the way.
 * @param teamId null: the instance
 * @returns false while another transaction does that
 */
export async function tryLockApply(db: Queryable, teamId: string | null): Promise<boolean> {
  const [row] = await db<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext(${`millrace.apply.${teamId ?? ""}`})) as "isLocked"`;
  return row!.isLocked;
}

/** What can be set of a team. */
export type TeamFields = Omit<TeamRow, "id" | "createdAt">;

/** Undefined if the name is taken: through the unique index, so two concurrent creations can't both get it. */
export async function insertTeam(db: Queryable, team: TeamFields): Promise<{ id: string } | undefined> {
  const quota = quotaValues(team);
  const [row] = await db<{ id: string }[]>`
    insert into team (name, display_name, status, type, external_ref, labels, parameters, allows_host_network, allows_privileged, retention, max_workflow_count,
      max_workflow_run_monthly, max_workflow_storage, max_workflow_run_storage, max_workflow_run_duration, max_concurrent_runs,
      max_waiting_runs)
    values (${team.name}, ${team.displayName}, ${team.status}, ${team.type}, ${team.externalRef}, ${db.json(team.labels)},
      ${JSON.stringify(team.parameters)}::json, ${team.allowHostNetwork}, ${team.allowPrivileged}, ${JSON.stringify(team.retention)}::jsonb, ${quota.maxWorkflowCount}, ${quota.maxWorkflowRunMonthly}, ${quota.maxWorkflowStorage},
      ${quota.maxWorkflowRunStorage}, ${quota.maxWorkflowRunDuration}, ${quota.maxConcurrentRuns},
      ${quota.maxWaitingRuns})
    on conflict (name) where deleted_at is null do nothing
    returning id`;
  return row;
}

/**
 * Writes all fields of a team that was locked and read before. False if its new name is taken: the unique index decides, so two concurrent
 * renames can't both get it; the transaction can then only be rolled back.
 */
export async function updateTeam(db: Queryable, teamId: string, team: TeamFields): Promise<boolean> {
  const quota = quotaValues(team);
  return writesUniqueName(db`
    update team set name = ${team.name}, display_name = ${team.displayName}, status = ${team.status}, type = ${team.type},
      external_ref = ${team.externalRef}, labels = ${db.json(team.labels)}, parameters = ${JSON.stringify(team.parameters)}::json,
      allows_host_network = ${team.allowHostNetwork}, allows_privileged = ${team.allowPrivileged}, retention = ${JSON.stringify(team.retention)}::jsonb,
      max_workflow_count = ${quota.maxWorkflowCount}, max_workflow_run_monthly = ${quota.maxWorkflowRunMonthly},
      max_workflow_storage = ${quota.maxWorkflowStorage}, max_workflow_run_storage = ${quota.maxWorkflowRunStorage},
      max_workflow_run_duration = ${quota.maxWorkflowRunDuration}, max_concurrent_runs = ${quota.maxConcurrentRuns},
      max_waiting_runs = ${quota.maxWaitingRuns}
    where id = ${teamId} and deleted_at is null`);
}

async function writesUniqueName(statement: Promise<unknown>): Promise<boolean> {
  try {
    await statement;
    return true;
  } catch (error) {
    if (isUniqueViolation(error, "team_name")) return false;
    throw error;
  }
}

/** Hides the team at once; its rows are purged in the background. */
export async function hideTeam(db: Queryable, teamId: string): Promise<void> {
  await db`update team set deleted_at = (select db_now()) where id = ${teamId} and deleted_at is null`;
}

export async function isTeamNameTaken(db: Queryable, name: string): Promise<boolean> {
  const rows = await db`select 1 as taken from team where name = ${name} and deleted_at is null`;
  return rows.length > 0;
}

function quotaValues(team: QuotaOverrides): Record<QuotaName, number | null> {
  return Object.fromEntries(quotaNames.map((name) => [name, team[name] ?? null])) as Record<QuotaName, number | null>;
}

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

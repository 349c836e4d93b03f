import type { Status } from "@millrace/contract/status.ts";
import { deadlineAnnotation, expectedAnnotation } from "../../../core/alert/deadline.ts";
import type { PackedRuns } from "../../../core/insight/insight-runs.ts";
import type { Queryable } from "../../database/database.ts";
import { isNoTrial } from "../../workflow/hidden-workflows.ts";
import { inStatuses } from "../run-filter.ts";
import { gapsOf, packedColumns, placeOfWorkflow } from "./insight-tallies.ts";

/**
 * Runs examined together, of one team or (no team given) of all teams: this file has statements that go over teams, for those who may
 * read the insights of the instance. Runs of deleted workflows count as long as they are kept.
 */

export interface InsightScope {
  /** Undefined: all teams. */
  teamId: string | undefined;
  from: Date;
  /** Exclusive; undefined: no end. */
  to: Date | undefined;
  /** Names or ids; undefined: all. */
  workflows: readonly string[] | undefined;
  /** Undefined: all. */
  statuses: readonly string[] | undefined;
}

/**
 * Ids begin with the time, so a time range is a range of ids: by the primary key, or over all teams by run_by_id, and only in the
 * partitions of its months. At its ends the date itself decides.
 */
const isInRange = (db: Queryable, { teamId, from, to }: InsightScope) => db`
  r.id >= id_floor(greatest(${from}::timestamptz - interval '1 minute', 'epoch')) and r.created_at >= ${from}
  and ${isNoTrial(db)}
  ${teamId === undefined ? db`` : db`and r.team_id = ${teamId}`}
  ${to === undefined ? db`` : db`and r.id <= id_floor(${to}::timestamptz + interval '1 minute') and r.created_at < ${to}`}`;

const matches = (db: Queryable, scope: InsightScope) => db`
  ${isInRange(db, scope)}
  ${scope.statuses ? db`and ${inStatuses(db, scope.statuses)}` : db``}
  ${scope.workflows ? db`and r.workflow_id in (${workflowsNamed(db, scope.teamId, scope.workflows)})` : db``}`;

/** Including deleted ones, whose runs are still counted. */
function workflowsNamed(db: Queryable, teamId: string | undefined, names: readonly string[]) {
  const wanted = names.map((name) => name.toLowerCase());
  return db`
    select w.id from workflow w where (w.name = any(${wanted}) or w.id::text = any(${wanted}))
      ${teamId === undefined ? db`` : db`and w.team_id = ${teamId}`}`;
}

/** When the first and the last run of a range were created; nulls if there is none. */
export async function findInsightBounds(db: Queryable, scope: InsightScope): Promise<{ first: Date | null; last: Date | null }> {
  const [row] = await db<{ first: Date | null; last: Date | null }[]>`
    select
      (select r.created_at from run r where ${isInRange(db, scope)} order by r.id limit 1) as first,
      (select r.created_at from run r where ${isInRange(db, scope)} order by r.id desc limit 1) as last`;
  return row!;
}

/** Ids of the workflows that the range names. Undefined: all. */
export async function findInsightWorkflows(db: Queryable, { teamId, workflows }: InsightScope): Promise<string[] | undefined> {
  if (workflows === undefined) return undefined;
  const rows = await db<{ id: string }[]>`${workflowsNamed(db, teamId, workflows)}`;
  return rows.map(({ id }) => id);
}

/** The clock of the database may go back (a failover): a run may have ended so much before it was created. */
const stepBack = "1 hour";

/**
 * The runs that have to be examined: what is packed of the range, with runs beside it; then, packed by team, the runs of the range that
 * are in no such row. These are the ones of the gaps between spans (index run_ended), of which there are few, and the open ones
 * (run_queued, run_running). `offset 0` keeps the planner from reading all runs once for all gaps.
 */
export async function readPackedRuns(
  db: Queryable,
  scope: InsightScope,
  workflowIds: readonly string[] | undefined,
): Promise<PackedRuns[]> {
  const { teamId, from, to } = scope;
  const ofTeam = teamId === undefined ? db`` : db`and k.team_id = ${teamId}`;
  const ofWorkflows = workflowIds === undefined ? db`` : db`and r.workflow_id = any(${[...workflowIds]}::uuid[])`;
  const columns = db`r.team_id, r.workflow_id, r.status, r.phase, r.activity, r.created_at, r.started_at, r.ended_at`;
  return db<PackedRuns[]>`
    with gap as materialized (${gapsOf(db, teamId)}),
    beside as materialized (
      select r.* from gap g cross join lateral (
        select ${columns} from run r
        where r.team_id = g.team_id and r.ended_at >= greatest(g.begins_at, ${from}::timestamptz - ${stepBack}::interval) and r.ended_at < g.ends_at
          and ${isInRange(db, { ...scope, teamId: undefined })} ${ofWorkflows} offset 0) as r
      union all select ${columns} from run r where r.phase in ('pending', 'queued') and ${isInRange(db, scope)} ${ofWorkflows}
      union all select ${columns} from run r where r.phase = 'running' and ${isInRange(db, scope)} ${ofWorkflows}
    )
    select k.team_id as "teamId", k.workflow_ids as "workflowIds", k.data from insight_tally k
    where k.newest_at >= ${from} ${to === undefined ? db`` : db`and k.oldest_at < ${to}`} ${ofTeam}
      ${workflowIds === undefined ? db`` : db`and k.workflow_ids && ${[...workflowIds]}::uuid[]`}
    union all
    select r.team_id, ${packedColumns(db)} from (select r.*, ${placeOfWorkflow(db)} from beside r) as r group by r.team_id`;
}

/** The labels for the figures of a workflow, or of a team. */
export interface InsightName {
  name: string | null;
  displayName: string | null;
  isDeleted: boolean;
  /** Its settings for runs, as written. */
  deadline: string | null;
  expected: string | null;
}

/** By id; purged workflows are missing. */
export async function listInsightWorkflowNames(
  db: Queryable,
  workflows: readonly { teamId: string; workflowId: string }[],
): Promise<Map<string, InsightName>> {
  const rows = await db<(InsightName & { id: string })[]>`
    select w.id, w.name, w.display_name as "displayName", w.deleted_at is not null as "isDeleted",
      w.annotations ->> ${deadlineAnnotation} as deadline, w.annotations ->> ${expectedAnnotation} as expected
    from unnest(${workflows.map(({ teamId }) => teamId)}::uuid[], ${workflows.map(({ workflowId }) => workflowId)}::uuid[]) as wanted (team_id, id)
      join workflow w on w.team_id = wanted.team_id and w.id = wanted.id`;
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}

export interface InsightTeamName {
  name: string;
  displayName: string;
}

export async function listInsightTeamNames(db: Queryable, teamIds: readonly string[]): Promise<Map<string, InsightTeamName>> {
  const rows = await db<(InsightTeamName & { id: string })[]>`
    select id, name, display_name as "displayName" from team where id = any(${[...teamIds]}::uuid[])`;
  return new Map(rows.map(({ id, ...name }) => [id, name]));
}

export interface InsightRunRow {
  id: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  status: Status;
  workflowId: string;
  workflowName: string | null;
}

/** The latest of them, newest first. */
export async function listInsightRuns(db: Queryable, scope: InsightScope, limit: number): Promise<InsightRunRow[]> {
  return db<InsightRunRow[]>`
    select r.id, r.created_at as "createdAt", r.started_at as "startedAt", r.ended_at as "endedAt", r.status,
      r.workflow_id as "workflowId", w.name as "workflowName"
    from run r left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where ${matches(db, scope)} order by r.id desc limit ${limit}`;
}

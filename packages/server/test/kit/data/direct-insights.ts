import type { AllFigures, InsightFigures } from "../../../src/core/insight/insight-figures.ts";
import type { Queryable } from "../../../src/store/database/database.ts";
import type { InsightScope } from "../../../src/store/run/tallies/run-insights.ts";

/** The figures of insights as one query over all runs computes them, to compare the faster way with. */

/**
 * IDs start with the time, so a time range is a range of IDs: it is read by the primary key, or over all teams by run_by_id, and only in
 * the partitions of its months. At both ends the date itself decides.
 */
const isInRange = (db: Queryable, { teamId, from, to }: InsightScope) => db`
  r.id >= id_floor(greatest(${from}::timestamptz - interval '1 minute', 'epoch')) and r.created_at >= ${from}
  ${teamId === undefined ? db`` : db`and r.team_id = ${teamId}`}
  ${to === undefined ? db`` : db`and r.id <= id_floor(${to}::timestamptz + interval '1 minute') and r.created_at < ${to}`}`;

const matches = (db: Queryable, scope: InsightScope) => db`
  ${isInRange(db, scope)}
  ${
    scope.statuses
      ? db`and (r.status = any(${[...scope.statuses]})
      or ('waiting' = any(${[...scope.statuses]}) and r.status = 'running' and r.activity = 'none'))`
      : db``
  }
  ${scope.workflows ? db`and r.workflow_id in (${workflowsNamed(db, scope.teamId, scope.workflows)})` : db``}`;

/** Includes deleted workflows: their runs are still counted. */
function workflowsNamed(db: Queryable, teamId: string | undefined, names: readonly string[]) {
  const wanted = names.map((name) => name.toLowerCase());
  return db`
    select w.id from workflow w where (w.name = any(${wanted}) or w.id::text = any(${wanted}))
      ${teamId === undefined ? db`` : db`and w.team_id = ${teamId}`}`;
}

interface DirectGroup extends Omit<InsightFigures, "totalMs" | "percentilesMs"> {
  kind: "all" | "day" | "workflow" | "team";
  teamId: string;
  workflowId: string;
  /** 1 for the first of the days given; 0 is before it. */
  day: number | null;
  totalMs: number | null;
  percentilesMs: number[] | null;
}

/** @param dayStarts moments at which a day starts, in order */
export async function readDirectInsights(db: Queryable, scope: InsightScope, dayStarts: readonly Date[]): Promise<AllFigures> {
  const isOneTeam = scope.teamId !== undefined;
  const starts = dayStarts.map((start) => start.toISOString());
  const [row] = await db<{ groups: DirectGroup[] | null; statuses: AllFigures["statuses"] | null; queueMs: number[] | null }[]>`
    with picked as materialized (
      select r.team_id, r.workflow_id, r.status, r.phase, r.activity, width_bucket(r.created_at, (select ${starts}::text[]::timestamptz[])) as day,
        round(date_part('epoch', r.ended_at - r.started_at) * 1000) as duration, round(date_part('epoch', r.started_at - r.created_at) * 1000) as queued
      from run r where ${matches(db, scope)}
    ), grouped as (
      select grouping(day) = 0 as is_day, grouping(workflow_id) = 0 as is_workflow, ${isOneTeam ? db`false` : db`grouping(team_id) = 0`} as is_team,
        ${isOneTeam ? db`${scope.teamId!}::uuid as team_id` : db`team_id`}, workflow_id, day, count(*)::int as total, count(*) filter (where status = 'succeeded')::int as succeeded,
        count(*) filter (where status in ('failed', 'timedout', 'invalid'))::int as failed,
        count(*) filter (where phase = 'running' and activity <> 'none')::int as running, round(sum(duration)) as total_ms,
        percentile_cont(array[0.5, 0.9, 0.95, 0.99, 1]) within group (order by duration) as percentiles_ms
      from picked group by grouping sets ((), ${isOneTeam ? db`(workflow_id)` : db`(team_id), (team_id, workflow_id)`}, (day))
    )
    select (select json_agg(json_build_object(
          'kind', case when g.is_day then 'day' when g.is_workflow then 'workflow' when g.is_team then 'team' else 'all' end,
          'teamId', g.team_id, 'workflowId', g.workflow_id, 'day', g.day, 'total', g.total, 'succeeded', g.succeeded, 'failed', g.failed,
          'running', g.running, 'totalMs', g.total_ms, 'percentilesMs', g.percentiles_ms)) from grouped g) as groups,
      (select json_object_agg(s.status, s.count) from (select case when status = 'running' and activity = 'none' then 'waiting' else status end as status, count(*)::int as count
          from picked group by 1) s) as statuses,
      (select to_json(percentile_cont(array[0.5, 0.9, 0.95, 0.99, 1]) within group (order by queued)) from picked) as "queueMs"`;
  return toFigures(row!.groups ?? [], row!.statuses ?? {}, row!.queueMs, dayStarts.length);
}

const nothing = [null, null, null, null, null];
/** Those with the most runs, in an answer. */
const listed = 20;

function toFigures(groups: readonly DirectGroup[], statuses: AllFigures["statuses"], queueMs: number[] | null, days: number): AllFigures {
  const ofKind = (wanted: DirectGroup["kind"]) => groups.filter(({ kind }) => kind === wanted);
  const top = (kind: DirectGroup["kind"], id: "teamId" | "workflowId") =>
    ofKind(kind)
      .sort((a, b) => b.total - a.total || (a[id] < b[id] ? -1 : 1))
      .slice(0, listed);
  const byDay = new Map(ofKind("day").map((group) => [group.day, figuresOf(group)]));
  return {
    all: figuresOf(ofKind("all")[0]!),
    days: Array.from({ length: days }, (_, index) => byDay.get(index + 1)),
    workflows: top("workflow", "workflowId").map((group) => ({ ...figuresOf(group), teamId: group.teamId, workflowId: group.workflowId })),
    teams: top("team", "teamId").map((group) => ({ ...figuresOf(group), teamId: group.teamId })),
    statuses,
    queueMs: queueMs ?? nothing,
  };
}

function figuresOf({ total, succeeded, failed, running, totalMs, percentilesMs }: DirectGroup): InsightFigures {
  return { total, succeeded, failed, running, totalMs: totalMs ?? 0, percentilesMs: percentilesMs ?? nothing };
}

import type { Queryable } from "../database/database.ts";

/** The queues of the teams that want alerts: the task runs of a team that wait for a worker. */

export interface TeamQueue {
  teamId: string;
  /** A delay was reported and has not ended. */
  isLate: boolean;
  /** The task run that has waited longest; null if none waits. */
  oldestAt: Date | null;
  taskRunId: string | null;
  now: Date;
}

/** A worker with workspaces has a place of its own; no team has more of them. */
const mostPlaces = 1000;

/**
 * Reads the first row of each place of a team (index task_run_claimable), however many task runs wait. Teams without waiting ones are left
 * out, unless their queue is late.
 */
export async function listTeamQueues(tx: Queryable): Promise<TeamQueue[]> {
  return tx<TeamQueue[]>`
    select a.team_id as "teamId", a.queue_late_at is not null as "isLate", oldest.claimable_at as "oldestAt", oldest.id as "taskRunId",
      (select db_now()) as now
    from alert_team a left join lateral (
      with recursive heads as (
        (select q.place, q.claimable_at, q.id, 1 as nth from task_run q where q.team_id = a.team_id and q.claimable_at is not null
         order by q.place, q.claimable_at, q.id limit 1)
        union all
        select n.place, n.claimable_at, n.id, h.nth + 1 from heads h cross join lateral (
          select q.place, q.claimable_at, q.id from task_run q where q.team_id = a.team_id and q.claimable_at is not null and q.place > h.place
          order by q.place, q.claimable_at, q.id limit 1) n
        where h.nth < ${mostPlaces}
      )
      select h.claimable_at, h.id from heads h order by h.claimable_at, h.id limit 1
    ) oldest on true
    where a.queue_late_at is not null or exists (select from ready_team rt where rt.team_id = a.team_id)
    order by a.team_id`;
}

interface QueueAlert {
  teamId: string;
  taskRunId: string | null;
  isLate: boolean;
  members: object;
}

/** The most that are counted. */
const mostCounted = 1000;

/** Records that queues became late, or are no longer late, and stores which: each change once. */
export async function recordQueueChanges(tx: Queryable, changes: readonly QueueAlert[]): Promise<void> {
  await tx`
    with change as materialized (
      select c."teamId", c."taskRunId", c."isLate", c.members
      from json_to_recordset(${JSON.stringify(changes)}::json) as c("teamId" uuid, "taskRunId" uuid, "isLate" boolean, members jsonb)
    ), changed as (
      update alert_team a set queue_late_at = case when c."isLate" then (select db_now()) end
      from change c where a.team_id = c."teamId" and (a.queue_late_at is not null) <> c."isLate"
      returning a.team_id
    )
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, data)
    select t.id, 'alert', case when c."isLate" then 'queue_late' else 'queue_recovered' end, t.id, t.id, t.name,
      (jsonb_strip_nulls(jsonb_build_object('id', t.id, 'teamName', t.name, 'taskRunRef', k.id, 'taskName', k.name, 'executor', k.executor,
        'workflowRunRef', k.run_id, 'waitingSince', iso_time(k.claimable_at), 'waiting', waiting.count,
        'link', '/api/v2/team/' || t.id || coalesce('/taskrun/' || k.id, ''))) || c.members)::json
    from changed join change c on c."teamId" = changed.team_id
    join team t on t.id = c."teamId"
    left join task_run k on k.team_id = t.id and k.id = c."taskRunId"
    cross join lateral (select count(*)::int as count from (
      select from task_run q where q.team_id = t.id and q.claimable_at is not null limit ${mostCounted}) q) waiting`;
}

import type { ChangeEvent } from "../core/delivery/change-event.ts";
import type { Queryable } from "./database.ts";

/** The end of a run as its change event has it (note_run_changes of the migrations): that one may be dispatched and gone already. */
export async function findRunEndEvent(db: Queryable, teamId: string, runId: string): Promise<ChangeEvent | undefined> {
  const [row] = await db<ChangeEvent[]>`
    select new_id() as id, 0 as seq, r.team_id as "teamId", 'workflowrun' as kind, r.status, r.id as "objectId", r.id as "laneId",
      t.name as "teamName", w.id as "workflowId", w.name as "workflowName", r.labels ->> 'initiatorContext' as "initiatorContext",
      r.ended_at as at, json_strip_nulls(json_build_object(
        'id', r.id, 'creationDate', iso_time(r.created_at), 'startTime', iso_time(r.started_at), 'duration', duration_ms(r.started_at, r.ended_at),
        'status', r.status, 'phase', r.phase, 'statusMessage', r.status_message, 'reason', r.reason, 'timeout', r.timeout_minutes,
        'retries', r.retries, 'debug', r.debug, 'awaitingApproval', r.awaiting_approval, 'workflowRef', r.workflow_id,
        'workflowName', w.name, 'workflowDisplayName', w.display_name, 'workflowVersion', r.workflow_version,
        'workflowRevisionRef', r.workflow_version_id, 'trigger', r.trigger, 'initiatedByRef', r.initiated_by, 'labels', r.labels,
        'retryOf', r.retry_of, 'parentRunRef', r.parent_run_id, 'link', '/api/v2/team/' || r.team_id || '/workflowrun/' || r.id)) as data
    from run r join team t on t.id = r.team_id left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where r.team_id = ${teamId} and r.id = ${runId} and r.ended_at is not null`;
  return row;
}

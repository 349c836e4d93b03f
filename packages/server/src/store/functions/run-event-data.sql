-- after the tables: it takes a row of one.

-- A run as events show it: members as the API names them, without parameters and results.
create or replace function run_event_data(r run, workflow_name text, workflow_display_name text) returns json
  language sql stable
  return json_strip_nulls(json_build_object(
    'id', r.id, 'creationDate', iso_time(r.created_at), 'startTime', iso_time(r.started_at), 'duration', duration_ms(r.started_at, r.ended_at),
    'status', r.status, 'phase', r.phase, 'statusMessage', r.status_message, 'reason', r.reason, 'timeout', r.timeout_minutes,
    'retries', r.retries, 'debug', r.debug, 'awaitingApproval', r.awaiting_approval, 'workflowRef', r.workflow_id,
    'workflowName', workflow_name, 'workflowDisplayName', workflow_display_name, 'workflowVersion', r.workflow_version,
    'workflowRevisionRef', r.workflow_version_id, 'trigger', r.trigger, 'initiatedByType', initiator_type(r.initiated_by),
    'initiatedByRef', initiator_ref(r.initiated_by), 'initiatedByName', initiator_name(r.team_id, r.initiated_by), 'labels', r.labels,
    'retryOf', r.retry_of, 'parentRunRef', r.parent_run_id, 'link', '/api/v2/team/' || r.team_id || '/workflowrun/' || r.id));

-- Who or what started a run, in the parts that people are shown (core/run/initiator.ts tells what is stored).
create function initiator_type(stored text) returns text
  language sql immutable strict
  return case split_part(stored, ':', 1)
    when 'user' then 'user' when 'token' then 'token' when 'schedule' then 'schedule' when 'run' then 'workflow' else 'instance' end;

create function initiator_ref(stored text) returns text
  language sql immutable strict
  return nullif(split_part(stored, ':', 2), '');

-- The same as a uuid; null where it is none. The planner may evaluate it for a text of any form, so it guards its own cast.
create function initiator_id(stored text) returns uuid
  language sql immutable strict
  return case when initiator_ref(stored) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then initiator_ref(stored)::uuid end;

-- Its name now: null when it is gone. In PL/pgSQL, which keeps its plans: events of runs call it once a row.
create function initiator_name(of_team uuid, stored text) returns text
  language plpgsql stable strict set plan_cache_mode to force_generic_plan as $$
  declare
    found_name text;
  begin
    if stored = 'token:admin' then
      return 'admin token';
    elsif stored = 'token:local' then
      return 'local administrator';
    elsif stored like 'integration:%' then
      return initiator_ref(stored);
    elsif stored like 'user:%' then
      select coalesce(u.name, u.email) into found_name from app_user u where u.id = initiator_id(stored);
    elsif stored like 'token:%' then
      select t.name into found_name from token t where t.id = initiator_id(stored);
    elsif stored like 'schedule:%' then
      select s.name into found_name from schedule s where s.team_id = of_team and s.id = initiator_id(stored);
    elsif stored like 'run:%' then
      select w.name into found_name from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
      where r.team_id = of_team and r.id = initiator_id(stored);
    end if;
    return found_name;
  end
$$;

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

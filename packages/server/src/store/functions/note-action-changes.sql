-- Members of an action as the API names them, for events.
create or replace function action_event_data(of_team uuid, of_action uuid) returns json
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    return (select json_strip_nulls(json_build_object(
      'id', a.id, 'workflowRef', a.workflow_id, 'workflowName', w.name, 'workflowRunRef', a.run_id, 'taskRunRef', a.task_run_id,
      'taskName', coalesce(k.name, case when a.type = 'publish' then 'publish' end), 'teamName', t.name, 'type', a.type, 'status', a.status, 'title', a.title, 'instructions', a.instructions,
      'creationDate', iso_time(a.created_at), 'deadline', iso_time(a.deadline_at), 'reminder', a.reminder_minutes, 'reminderCount', a.reminders_sent,
      'escalateAfter', a.escalate_minutes, 'escalateToRef', a.escalation_group_id, 'escalateToName', g.name, 'escalationDate', iso_time(a.escalated_at),
      'delegateRefs', case when a.escalated_at is not null then a.delegate_ids end,
      'requesterMayNotApprove', a.bars_requester, 'numberOfApprovers', a.approvers_wanted, 'approvalsRequired', a.approvers_wanted,
      'numberOfApprovals', (select count(*) from action_vote v where v.team_id = a.team_id and v.action_id = a.id and v.approved),
      'approverGroupRef', a.approver_group_id, 'link', '/api/v2/team/' || a.team_id || '/action/' || a.id))
    from action a
    join team t on t.id = a.team_id
    left join task_run k on k.team_id = a.team_id and k.id = a.task_run_id
    left join workflow w on w.team_id = a.team_id and w.id = a.workflow_id
    left join approver_group g on g.team_id = a.team_id and g.id = a.escalation_group_id
    where a.team_id = of_team and a.id = of_action);
  end
  $$;

-- Actions whose status is new, those of which people are reminded, and those that another group may decide too.
create or replace function note_action_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'action'));
    actions uuid[];
    reminded uuid[] := '{}';
    escalated uuid[] := '{}';
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      reminded := array(select c.id from changed c join before b using (team_id, id) where c.reminders_sent > b.reminders_sent);
      escalated := array(select c.id from changed c join before b using (team_id, id) where c.escalated_at is not null and b.escalated_at is null);
      actions := reminded || escalated || array(select c.id from changed c join before b using (team_id, id)
                                                where c.status <> b.status and c.id <> all(reminded || escalated));
    else
      actions := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select a.team_id, 'action', case when a.id = any(reminded) then 'reminder' when a.id = any(escalated) then 'escalated' else a.status end, a.id, coalesce(a.run_id, a.id), t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      case when r.id is null then '{}' else lineage_after(r.lineage, r.workflow_id) end, action_event_data(a.team_id, a.id)
    from unnest(actions) as n(id)
    join changed a on a.id = n.id
    join team t on t.id = a.team_id
    left join run r on r.team_id = a.team_id and r.id = a.run_id
    left join workflow w on w.team_id = a.team_id and w.id = a.workflow_id
    where a.team_id = any(teams)
    order by a.id;
    return null;
  end
  $$;

-- Comments on actions, and delegations of them.
create or replace function note_action_notes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select a.team_id, 'action', case n.kind when 'comment' then 'commented' else 'delegated' end, a.id, coalesce(a.run_id, a.id), t.name, w.id, w.name,
      r.labels ->> 'initiatorContext', case when r.id is null then '{}' else lineage_after(r.lineage, r.workflow_id) end,
      (action_event_data(a.team_id, a.id)::jsonb || jsonb_strip_nulls(jsonb_build_object(
        'by', n.name, 'comments', n.comments, 'delegatedTo', n.delegate_name, 'delegateRefs', n.delegate_ids)))::json
    from changed n
    join action a on a.team_id = n.team_id and a.id = n.action_id
    join team t on t.id = a.team_id
    left join run r on r.team_id = a.team_id and r.id = a.run_id
    left join workflow w on w.team_id = a.team_id and w.id = a.workflow_id
    where is_change_wanted(a.team_id, 'action')
    order by n.id;
    return null;
  end
  $$;

-- Schedules whose status is new.
create or replace function note_schedule_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'schedule'));
    schedules uuid[];
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      schedules := array(select c.id from changed c join before b using (team_id, id) where c.status <> b.status);
    else
      schedules := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, lineage, data)
    select s.team_id, 'schedule', s.status, s.id, s.id, t.name, w.id, w.name, s.lineage, json_strip_nulls(json_build_object(
      'id', s.id, 'workflowRef', w.name, 'name', s.name, 'description', s.description, 'creationDate', iso_time(s.created_at),
      'type', s.type, 'status', s.status, 'statusMessage', s.status_message, 'labels', s.labels, 'cronSchedule', s.cron,
      'dateSchedule', iso_time(s.date_at), 'timezone', s.timezone, 'overlapPolicy', s.overlap_policy, 'catchUpPolicy', s.catch_up_policy,
      'catchUpWindow', s.catch_up_window_minutes, 'jitter', s.jitter_seconds, 'exclusions', s.exclusions,
      'nextScheduleDate', iso_time(s.next_at), 'lastScheduleDate', iso_time(s.last_at), 'lastRunRef', s.last_run_id,
      'link', '/api/v2/team/' || s.team_id || '/schedule/' || s.id))
    from unnest(schedules) as n(id)
    join changed s on s.id = n.id
    join team t on t.id = s.team_id
    left join workflow w on w.team_id = s.team_id and w.id = s.workflow_id
    where s.team_id = any(teams)
    order by s.id;
    return null;
  end
  $$;

-- Actions whose status is new, and those of which somebody is reminded.
create or replace function note_action_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'action'));
    actions uuid[];
    reminded uuid[] := '{}';
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      reminded := array(select c.id from changed c join before b using (team_id, id) where c.reminders_sent > b.reminders_sent);
      actions := reminded || array(select c.id from changed c join before b using (team_id, id)
                                   where c.status <> b.status and c.id <> all(reminded));
    else
      actions := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select a.team_id, 'action', case when a.id = any(reminded) then 'reminder' else a.status end, a.id, a.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      coalesce(lineage_after(r.lineage, r.workflow_id), '{}'), json_strip_nulls(json_build_object(
      'id', a.id, 'workflowRef', a.workflow_id, 'workflowName', w.name, 'workflowRunRef', a.run_id, 'taskRunRef', a.task_run_id,
      'taskName', k.name, 'teamName', t.name, 'type', a.type, 'status', a.status, 'instructions', a.instructions,
      'creationDate', iso_time(a.created_at), 'deadline', iso_time(a.deadline_at), 'reminder', a.reminder_minutes, 'reminderCount', a.reminders_sent,
      'requesterMayNotApprove', a.bars_requester, 'numberOfApprovers', a.approvers_wanted, 'approvalsRequired', a.approvers_wanted,
      'numberOfApprovals', (select count(*) from action_vote v where v.team_id = a.team_id and v.action_id = a.id and v.approved),
      'approverGroupRef', a.approver_group_id, 'link', '/api/v2/team/' || a.team_id || '/action/' || a.id))
    from unnest(actions) as n(id)
    join changed a on a.id = n.id
    join team t on t.id = a.team_id
    left join run r on r.team_id = a.team_id and r.id = a.run_id
    left join task_run k on k.team_id = a.team_id and k.id = a.task_run_id
    left join workflow w on w.team_id = a.team_id and w.id = a.workflow_id
    where a.team_id = any(teams)
    order by a.id;
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

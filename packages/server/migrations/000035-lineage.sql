-- Where runs come from, so that chains of runs that start each other end: the workflows that led to a run, the first one first, without its own.
-- They come with an event or a request that starts it, from the run whose child or follow-up it is, or from the run that made its schedule.
alter table run add column lineage uuid[] not null default '{}';
-- Of the run whose task made it.
alter table schedule add column lineage uuid[] not null default '{}';
-- Those of the run, its own workflow at the end: what goes out with the event.
alter table change_event add column lineage uuid[] not null default '{}';

-- With one more workflow at its end, each named once: a workflow that schedules itself every day has a short lineage.
create function lineage_after(lineage uuid[], workflow uuid) returns uuid[]
  language sql immutable parallel safe
  return case when workflow = any(lineage) then lineage else array_append(lineage, workflow) end;

-- What is under way was led to by its parents, and by the ends of other runs.
update run r set lineage = l.lineage
from (
  with recursive line as (
    select q.team_id, q.id as of_run, q.id, q.workflow_id, q.parent_run_id, q.retry_of, 0 as step
    from run q where q.phase in ('pending', 'queued', 'running') and q.initiated_by like 'run:%'
    union all
    select p.team_id, c.of_run, p.id, p.workflow_id, p.parent_run_id, p.retry_of, c.step + 1
    from line c join run p on p.team_id = c.team_id and p.id = c.parent_run_id
  ), cause as (
    select c.team_id, c.of_run, w.id as workflow, min(array[-c.step, w.place]) as place
    from line c
    left join outcome_start s on s.team_id = c.team_id and s.run_id in (c.id, c.retry_of)
    cross join lateral unnest(coalesce(s.chain, '{}') || case when c.step > 0 then array[c.workflow_id] else '{}'::uuid[] end)
      with ordinality as w(id, place)
    group by 1, 2, 3
  )
  select team_id, of_run, array_agg(workflow order by place) as lineage from cause group by 1, 2
) l
where r.team_id = l.team_id and r.id = l.of_run;

-- The changes of runs, task runs, actions and schedules as before (000013, 000017), with the lineage.
create or replace function note_new_run() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    if is_change_wanted(new.team_id, 'workflowrun') then
      insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
      select new.team_id, 'workflowrun', new.status, new.id, new.id, t.name, w.id, w.name, new.labels ->> 'initiatorContext', lineage_after(new.lineage, new.workflow_id),
             run_event_data(new, w.name, w.display_name)
      from team t left join workflow w on w.team_id = t.id and w.id = new.workflow_id
      where t.id = new.team_id;
    end if;
    return new;
  end
  $$;

create or replace function note_run_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'workflowrun'));
  begin
    if teams = '{}' then
      return null;
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select r.team_id, 'workflowrun', r.status, r.id, r.id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
           lineage_after(r.lineage, r.workflow_id), run_event_data(r, w.name, w.display_name)
    from changed c
    join before b using (team_id, id)
    join run r on r.team_id = c.team_id and r.id = c.id
    join team t on t.id = r.team_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where c.team_id = any(teams) and (c.status <> b.status or (c.phase <> b.phase and c.phase <> 'finalized'))
      and (exists (select from subscription s where s.is_active and 'workflowrun' = any(s.kinds) and (s.team_id = r.team_id or s.team_id is null))
           or exists (select from workflow o where o.team_id = r.team_id and o.deleted_at is null and o.triggers -> 'workflow' ->> 'enabled' = 'true')
           or exists (select from codehost_report c where c.team_id = r.team_id and c.run_id = r.id))
    order by r.id;
    return null;
  end
  $$;

create or replace function note_task_run_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'taskrun'));
    tasks uuid[];
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      tasks := array(select c.id from changed c join before b using (team_id, id) where c.status <> b.status);
    else
      tasks := array(select c.id from changed c where c.status <> 'notstarted');
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, lineage, data)
    select k.team_id, 'taskrun', k.status, k.id, k.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext',
      coalesce(lineage_after(r.lineage, r.workflow_id), '{}'), json_strip_nulls(json_build_object(
      'id', k.id, 'type', k.type, 'name', k.name, 'labels', r.labels, 'creationDate', iso_time(k.created_at),
      'startTime', iso_time(k.started_at), 'duration', duration_ms(k.started_at, k.ended_at), 'timeout', k.timeout_minutes,
      'status', k.status, 'phase', k.phase, 'statusMessage', k.status_message, 'reason', k.reason, 'attempt', k.attempt, 'item', k.item,
      'taskRef', k.task_id, 'taskVersion', k.task_version, 'workflowRef', r.workflow_id, 'workflowName', w.name,
      'workflowRevisionRef', r.workflow_version_id, 'workflowRunRef', k.run_id, 'agentRef', k.worker_id,
      'link', '/api/v2/team/' || k.team_id || '/taskrun/' || k.id))
    from unnest(tasks) as n(id)
    join changed k on k.id = n.id
    join team t on t.id = k.team_id
    left join run r on r.team_id = k.team_id and r.id = k.run_id
    left join workflow w on w.team_id = k.team_id and w.id = r.workflow_id
    where k.team_id = any(teams)
    order by k.ended_at, k.id;
    return null;
  end
  $$;

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

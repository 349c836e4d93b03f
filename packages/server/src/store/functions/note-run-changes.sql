-- What has happened to runs and task runs, for whoever wants to hear of it: one row of change_event for each, in the transaction of the change.
-- Of trials nobody hears (core/workflow/try-name.ts): nothing is sent for them, and their end starts nothing.

-- A new run. It is noted before its row, so that its event comes before those of its task runs, which the same statement writes.
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
      where t.id = new.team_id and starts_with(w.name, 'try~workflow~') is not true;
    end if;
    return new;
  end
  $$;

-- Runs whose status is new, or whose phase is. Being finalized is housekeeping, no news.
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
    join run r on r.id = any(array[c.id]) and (r.team_id = c.team_id) is true -- see apply_run_changes
    join team t on t.id = r.team_id
    left join workflow w on w.team_id = r.team_id and w.id = r.workflow_id
    where c.team_id = any(teams) and starts_with(w.name, 'try~workflow~') is not true and (c.status <> b.status or (c.phase <> b.phase and c.phase <> 'finalized'))
      and (exists (select from subscription s where s.is_active and 'workflowrun' = any(s.kinds) and (s.team_id = r.team_id or s.team_id is null))
           or exists (select from workflow o where o.team_id = r.team_id and o.deleted_at is null and o.triggers -> 'workflow' ->> 'enabled' = 'true')
           or exists (select from codehost_report c where c.team_id = r.team_id and c.run_id = r.id))
    order by r.id;
    return null;
  end
  $$;

-- Task runs whose status is new. One that was made with its run and has not begun is no news.
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
    left join run r on r.id = any(array[k.run_id]) and (r.team_id = k.team_id) is true
    left join workflow w on w.team_id = k.team_id and w.id = r.workflow_id
    where k.team_id = any(teams) and starts_with(w.name, 'try~workflow~') is not true
    order by k.ended_at, k.id;
    return null;
  end
  $$;

-- A run of which people have changed something that is searched. Its beginning is noted by the statement that inserts it
-- (store/run/submissions.ts), its end by apply_run_changes.
create or replace function note_run_for_search() returns trigger
  language plpgsql
  as $$
  begin
    insert into run_search_due (team_id, run_id) values (new.team_id, new.id);
    return null;
  end
  $$;

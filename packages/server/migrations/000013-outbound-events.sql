-- Events out: who wants to hear of changes, the changes themselves, and what is sent of them to whom.

create table subscription (
  id uuid primary key default new_id(),
  team_id uuid references team on delete cascade, -- null: of the instance, for the changes of all teams
  name text not null,
  channel text not null check (channel in ('webhook', 'email', 'chat')),
  is_active boolean not null default true,
  status_message text,                    -- why it was paused by itself
  filters json not null default '[]',     -- EventFilter[]; all must hold
  kinds text[] not null default '{workflowrun,taskrun,action,schedule}', -- what its filters can let through; the rest is not even recorded
  target json not null,                   -- to whom, by channel; nothing secret
  secret text,                            -- an envelope
  old_secret text,                        -- an envelope; valid beside the new one until then
  old_secret_until timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default db_now(),
  changed_at timestamptz(3) not null default db_now(),
  check ((old_secret is null) = (old_secret_until is null))
);
create unique index subscription_name on subscription (team_id, name) nulls not distinct;
create index subscription_active on subscription (team_id) where is_active;
create index subscription_created on subscription (team_id, created_at, id);

-- Runs whose course is reported to the codehost, under the name of a check or status.
create table codehost_report (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  installation_ref text not null,
  repository_owner text not null,
  repository_name text not null,
  head_sha text not null,
  name text not null,
  check_run_id bigint,                    -- null until the codehost has given one
  primary key (team_id, run_id)
);

-- Which workflows the end of another run may start.
create index workflow_on_workflow on workflow (team_id, id) where deleted_at is null and triggers -> 'workflow' ->> 'enabled' = 'true';

-- A change of state that somebody wanted to hear of, written in the transaction of the change. `seq` puts them in order: what happened
-- after the commit of another change has a larger one.
create sequence change_event_seq;
create table change_event (
  id uuid not null default new_id(),      -- the id of the CloudEvent
  seq bigint not null default nextval('change_event_seq'),
  team_id uuid,                           -- null: of the instance itself (a test)
  kind text not null,                     -- workflowrun, taskrun, action, schedule; subscription for a test
  status text not null,
  object_id uuid not null,
  lane_id uuid not null,                  -- the run or the schedule: its events are delivered in order
  team_name text,
  workflow_id uuid,
  workflow_name text,
  initiator_context text,
  data json not null,                     -- members of the object as the API names them, without parameters and results
  at timestamptz(3) not null default db_now(),
  dispatched_at timestamptz(3),           -- null: not yet looked at
  primary key (id)
) partition by range (id);
alter sequence change_event_seq owned by change_event.seq;
create table change_event_default partition of change_event default;
create index change_event_open on change_event (seq) where dispatched_at is null;
insert into partitioned_table values ('change_event');

-- What is sent of an event to one receiver. Of a lane (a run, a schedule) each receiver has at most one that is tried at a time: those
-- after it wait until it is over.
create table delivery (
  id uuid primary key default new_id(),
  team_id uuid,                           -- of the event; null: a test of the instance
  subscription_id uuid references subscription on delete cascade, -- null: of a reaction
  channel text not null check (channel in ('webhook', 'email', 'chat', 'codehost')),
  target json,                            -- of a reaction: to whom, by channel
  event_id uuid not null,
  event_seq bigint not null,
  receiver_id uuid not null,              -- who shares a bound of what is under way: the subscription, or what a reaction says
  lane_id uuid not null,
  status text not null check (status in ('waiting', 'pending', 'delivered', 'dead')),
  attempts int not null default 0,        -- the fence: only the newest attempt can record its outcome
  due_at timestamptz(3),                  -- when to try; during a try, when it is believed lost
  expires_at timestamptz(3) not null default db_now() + interval '24 hours', -- a try that fails is not followed by one after it
  created_at timestamptz(3) not null default db_now(),
  attempted_at timestamptz(3),
  ended_at timestamptz(3),
  last_status int,
  last_answer text,
  last_error text,
  check ((status = 'pending') = (due_at is not null)),
  check ((status in ('delivered', 'dead')) = (ended_at is not null))
);
create index delivery_pending on delivery (receiver_id, due_at) where status = 'pending';
create index delivery_lane on delivery (receiver_id, lane_id, event_seq) where status in ('waiting', 'pending');
create index delivery_subscription on delivery (subscription_id, id) where subscription_id is not null;
create index delivery_event on delivery (event_id);
create index delivery_ended on delivery (status, ended_at) where ended_at is not null;

-- Does anybody want changes of this kind in this team? A run that is reported to the codehost makes it true for the whole team; the
-- trigger then looks at the single run.
create function is_change_wanted(of_team uuid, of_kind text) returns boolean
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    return exists (select from subscription s where s.team_id = of_team and s.is_active and of_kind = any(s.kinds))
      or exists (select from subscription s where s.team_id is null and s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.team_id = of_team and w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report c where c.team_id = of_team)));
  end
  $$;

-- A time as the API writes it.
create function iso_time(at timestamptz) returns text
  language sql stable strict parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

create function duration_ms(started_at timestamptz, ended_at timestamptz) returns bigint
  language sql immutable parallel safe
  return coalesce(greatest(0, round(extract(epoch from ended_at - started_at) * 1000)), 0)::bigint;

-- Does anybody at all want this kind, in any team? The triggers below ask it for each statement that changes runs, so it must cost next to
-- nothing when nobody does: one look at an index that is empty then, three for runs (3 µs to 6 µs).
create function is_kind_wanted(of_kind text) returns boolean
  language plpgsql stable
  as $$
  begin
    return exists (select from subscription s where s.is_active and of_kind = any(s.kinds))
      or (of_kind = 'workflowrun' and (
        exists (select from workflow w where w.deleted_at is null and w.triggers -> 'workflow' ->> 'enabled' = 'true')
        or exists (select from codehost_report)));
  end
  $$;

-- A run as events show it: members as the API names them, without parameters and results.
create function run_event_data(r run, workflow_name text, workflow_display_name text) returns json
  language sql stable
  return json_strip_nulls(json_build_object(
    'id', r.id, 'creationDate', iso_time(r.created_at), 'startTime', iso_time(r.started_at), 'duration', duration_ms(r.started_at, r.ended_at),
    'status', r.status, 'phase', r.phase, 'statusMessage', r.status_message, 'reason', r.reason, 'timeout', r.timeout_minutes,
    'retries', r.retries, 'debug', r.debug, 'awaitingApproval', r.awaiting_approval, 'workflowRef', r.workflow_id,
    'workflowName', workflow_name, 'workflowDisplayName', workflow_display_name, 'workflowVersion', r.workflow_version,
    'workflowRevisionRef', r.workflow_version_id, 'trigger', r.trigger, 'initiatedByRef', r.initiated_by, 'labels', r.labels,
    'retryOf', r.retry_of, 'parentRunRef', r.parent_run_id, 'link', '/api/v2/team/' || r.team_id || '/workflowrun/' || r.id));

-- A new run. It is noted before its row, so that its event comes before those of its task runs, which the same statement writes.
create function note_new_run() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    if is_change_wanted(new.team_id, 'workflowrun') then
      insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, data)
      select new.team_id, 'workflowrun', new.status, new.id, new.id, t.name, w.id, w.name, new.labels ->> 'initiatorContext',
             run_event_data(new, w.name, w.display_name)
      from team t left join workflow w on w.team_id = t.id and w.id = new.workflow_id
      where t.id = new.team_id;
    end if;
    return new;
  end
  $$;

-- Runs whose status is new, or whose phase is. Being finalized is housekeeping, no news.
create function note_run_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'workflowrun'));
  begin
    if teams = '{}' then
      return null;
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, data)
    select r.team_id, 'workflowrun', r.status, r.id, r.id, t.name, w.id, w.name, r.labels ->> 'initiatorContext', run_event_data(r, w.name, w.display_name)
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

-- Task runs whose status is new. One that was made with its run and has not begun is no news.
create function note_task_run_changes() returns trigger
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
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, data)
    select k.team_id, 'taskrun', k.status, k.id, k.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext', json_strip_nulls(json_build_object(
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

create function note_action_changes() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    teams uuid[] := array(select c.team_id from (select distinct team_id from changed) c where is_change_wanted(c.team_id, 'action'));
    actions uuid[];
  begin
    if teams = '{}' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      actions := array(select c.id from changed c join before b using (team_id, id) where c.status <> b.status);
    else
      actions := array(select c.id from changed c);
    end if;
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, data)
    select a.team_id, 'action', a.status, a.id, a.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext', json_strip_nulls(json_build_object(
      'id', a.id, 'workflowRef', a.workflow_id, 'workflowName', w.name, 'workflowRunRef', a.run_id, 'taskRunRef', a.task_run_id,
      'taskName', k.name, 'teamName', t.name, 'type', a.type, 'status', a.status, 'instructions', a.instructions,
      'creationDate', iso_time(a.created_at), 'deadline', iso_time(a.deadline_at), 'reminder', a.reminder_minutes,
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

create function note_schedule_changes() returns trigger
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
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, data)
    select s.team_id, 'schedule', s.status, s.id, s.id, t.name, w.id, w.name, json_strip_nulls(json_build_object(
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

create trigger note_new_run before insert on run
  for each row when (is_kind_wanted('workflowrun'))
  execute function note_new_run();
create trigger note_changed_runs after update on run
  referencing old table as before new table as changed for each statement when (is_kind_wanted('workflowrun'))
  execute function note_run_changes();
create trigger note_new_task_runs after insert on task_run
  referencing new table as changed for each statement when (is_kind_wanted('taskrun'))
  execute function note_task_run_changes();
create trigger note_changed_task_runs after update on task_run
  referencing old table as before new table as changed for each statement when (is_kind_wanted('taskrun'))
  execute function note_task_run_changes();
create trigger note_new_actions after insert on action
  referencing new table as changed for each statement when (is_kind_wanted('action'))
  execute function note_action_changes();
create trigger note_changed_actions after update on action
  referencing old table as before new table as changed for each statement when (is_kind_wanted('action'))
  execute function note_action_changes();
create trigger note_new_schedules after insert on schedule
  referencing new table as changed for each statement when (is_kind_wanted('schedule'))
  execute function note_schedule_changes();
create trigger note_changed_schedules after update on schedule
  referencing old table as before new table as changed for each statement when (is_kind_wanted('schedule'))
  execute function note_schedule_changes();

alter table delivery set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.0,
  autovacuum_analyze_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
select ensure_partitions(1);

-- What runs start when they end, and reminders of actions that wait.

-- What came of the end of a run for a workflow whose trigger it fits: one row, whoever looks how often.
create table outcome_start (
  team_id uuid not null references team on delete cascade,
  cause_run_id uuid not null,             -- the run that ended
  workflow_id uuid not null,              -- the workflow that fits
  outcome text not null check (outcome in ('submitted', 'refused', 'loop', 'tooLong')),
  run_id uuid,                            -- the run that was submitted
  message text,                           -- why there is none
  chain uuid[] not null,                  -- the workflows that led here, from the first cause to that of the run that ended
  at timestamptz(3) not null default db_now(),
  primary key (team_id, cause_run_id, workflow_id),
  check ((outcome = 'submitted') = (run_id is not null))
);
create index outcome_start_run on outcome_start (team_id, run_id) where run_id is not null;
create index outcome_start_at on outcome_start (at);

-- As before (000011); a run that another one's end has started goes back to who started that one.
create or replace function requester_of_run(of_team uuid, of_run uuid) returns text
  language plpgsql stable
  as $$
  declare
    requester text;
    parent uuid := of_run;
  begin
    while parent is not null loop
      select r.initiated_by,
             case when r.initiated_by like 'run:%' then coalesce(r.parent_run_id, (
               select s.cause_run_id from outcome_start s where s.team_id = r.team_id and s.run_id in (r.id, r.retry_of) limit 1)) end
      into requester, parent
      from run r where r.team_id = of_team and r.id = parent;
    end loop;
    return requester;
  end
  $$;

-- Reminders: due each time that reminder_minutes have passed since the action was opened, until it is over. The row says when the next one
-- is due, so whoever moves it on is the one who reminds.
alter table action
  add column reminders_sent int not null default 0, -- how many have come due, those that were missed included
  add column remind_at timestamptz(3);              -- null: no more will come
create index action_remind on action (remind_at) where remind_at is not null and status = 'submitted';

create function next_reminder(created_at timestamptz, reminder_minutes int, after int, deadline_at timestamptz) returns timestamptz
  language sql stable
  return (select case when deadline_at is null or n.at < deadline_at then n.at end
          from (select created_at + make_interval(mins => reminder_minutes * (after + 1))) n(at));

create function arm_reminder() returns trigger
  language plpgsql
  as $$
  begin
    new.remind_at := next_reminder(new.created_at, new.reminder_minutes, 0, new.deadline_at);
    return new;
  end
  $$;
create trigger arm_reminder before insert on action for each row when (new.reminder_minutes is not null) execute function arm_reminder();

-- What is open already begins with its next one.
update action a
set reminders_sent = n.due, remind_at = next_reminder(a.created_at, a.reminder_minutes, n.due, a.deadline_at)
from (select team_id, id, floor(extract(epoch from db_now() - created_at) / (60 * reminder_minutes))::int as due
      from action where status = 'submitted' and reminder_minutes is not null) n
where a.team_id = n.team_id and a.id = n.id;

-- As before (000013), with reminders.
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
    insert into change_event (team_id, kind, status, object_id, lane_id, team_name, workflow_id, workflow_name, initiator_context, data)
    select a.team_id, 'action', case when a.id = any(reminded) then 'reminder' else a.status end, a.id, a.run_id, t.name, w.id, w.name, r.labels ->> 'initiatorContext', json_strip_nulls(json_build_object(
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

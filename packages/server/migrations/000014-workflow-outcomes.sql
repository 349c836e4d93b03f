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

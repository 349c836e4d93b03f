-- Alerts: a run that is late, a queue that does not move, a planned time that passed (docs/alerts.md). All of this is kept only for teams of which a
-- subscription wants alerts, and goes with the last such subscription.
create table alert_team (
  team_id uuid primary key references team on delete cascade,
  since timestamptz(3) not null default db_now(),  -- what was late before is not reported
  seen_run_id uuid not null default '00000000-0000-0000-0000-000000000000', -- the newest run that was looked at
  queue_late_at timestamptz(3)                      -- a delay of its queue was reported and is not over
);

-- Runs that may become late, each with the time at which it is looked at again. A run that was reported, or has ended, has no row.
create table alert_run (
  team_id uuid not null references alert_team on delete cascade,
  run_id uuid not null,
  look_at timestamptz(3) not null,
  primary key (team_id, run_id)
);
create index alert_run_look on alert_run (look_at);

alter table instance add column alerts_checked_at timestamptz(3) not null default '-infinity'; -- by any process
alter table schedule add column alerted_for timestamptz(3); -- the planned time that was reported because nothing fired it

alter table subscription alter column kinds set default '{workflowrun,taskrun,action,schedule,alert}';
-- Those whose filters say nothing of the kind get events of every kind.
update subscription set kinds = kinds || '{alert}'::text[] where kinds @> '{workflowrun,taskrun,action,schedule}' and not 'alert' = any(kinds);

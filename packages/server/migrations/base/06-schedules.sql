-- Schedules: what starts runs by the clock, and what came of each of their times.

create table schedule (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  workflow_id uuid not null,
  name text not null,
  description text,
  type text not null check (type in ('cron', 'advancedCron', 'runOnce')),
  status text not null check (status in ('active', 'archived', 'inactive', 'trigger_disabled', 'error', 'completed')),
  status_message text,
  labels jsonb not null default '{}',
  cron text,                              -- unless runOnce
  date_at timestamptz(3),                 -- for runOnce
  timezone text not null,
  params json not null default '[]',      -- RunParam[]; the value of a secret is an envelope, marked by hiddenValue
  overlap_policy text not null check (overlap_policy in ('skip', 'queue', 'cancel')),
  catch_up_policy text not null check (catch_up_policy in ('none', 'one', 'all')),
  catch_up_window_minutes int check (catch_up_window_minutes > 0),
  jitter_seconds int not null check (jitter_seconds between 0 and 3600),
  exclusions text[] not null default '{}', -- days, `YYYY-MM-DD` or `YYYY-MM-DD/YYYY-MM-DD`, of its time zone
  next_at timestamptz(3),                 -- its next time; excluded days are left out
  fire_at timestamptz(3),                 -- that and its jitter: when the engine must act
  last_at timestamptz(3),                 -- the time for which a run was last submitted
  last_run_id uuid,
  created_at timestamptz(3) not null default db_now(),
  lineage uuid[] not null default '{}',   -- of the run whose task made it
  primary key (team_id, id),
  foreign key (team_id, workflow_id) references workflow on delete cascade,
  check ((type = 'runOnce') = (cron is null)),
  check ((type = 'runOnce') = (date_at is not null)),
  check ((status = 'active') = (next_at is not null)),
  check ((next_at is null) = (fire_at is null))
);
-- Only what will fire is in it: a look at the next ones costs the same however many are paused, and whosever they are.
create index schedule_due on schedule (fire_at) where fire_at is not null;
create index schedule_created on schedule (team_id, created_at, id);
create index schedule_workflow on schedule (team_id, workflow_id);

-- One row a time of a schedule, whatever came of it. The key is what makes a time happen once: it is written in the transaction that
-- submits the run and moves the schedule on.
create table schedule_firing (
  team_id uuid not null,
  schedule_id uuid not null,
  scheduled_for timestamptz(3) not null,
  fired_at timestamptz(3) not null default db_now(),
  outcome text not null check (outcome in ('submitted', 'skipped', 'missed', 'refused')),
  count int not null default 1 check (count > 0), -- times that the row stands for, from scheduled_for on
  run_id uuid,
  message text,
  primary key (team_id, schedule_id, scheduled_for),
  foreign key (team_id, schedule_id) references schedule on delete cascade,
  check ((outcome = 'submitted') = (run_id is not null)),
  check (count = 1 or outcome = 'missed')
);
create index schedule_firing_age on schedule_firing (fired_at);

-- What tasks did with their time (store/run/time-tallies.ts): sums of the task runs of the runs that ended in an hour, and in a day (UTC).
create table time_tally (
  team_id uuid not null references team (id) on delete cascade,
  -- Hours and days are rows of their own, so that a long range is few rows.
  is_day boolean not null,
  begins_at timestamptz(0) not null,
  workflow_id uuid not null,
  -- Its name; empty: those of a large workflow that are not counted by themselves.
  task text not null,
  task_runs bigint not null,
  -- Milliseconds, as docs/insights.md defines them.
  worker_ms bigint not null,
  queue_ms bigint not null,
  quota_ms bigint not null,
  start_ms bigint not null,
  retry_ms bigint not null,
  lock_ms bigint not null,
  person_ms bigint not null,
  event_ms bigint not null,
  sleep_ms bigint not null,
  run_ms bigint not null,
  primary key (team_id, is_day, begins_at, workflow_id, task)
);
create index time_tally_old on time_tally (begins_at);

-- The runs of a team that ended before this time are in its sums.
create table time_tally_team (
  team_id uuid primary key references team (id) on delete cascade,
  until timestamptz(3) not null
);

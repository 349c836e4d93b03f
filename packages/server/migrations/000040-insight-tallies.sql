-- Runs that are over, packed for insights (store/run/insight-tallies.ts): those of a team that ended in a span of time. The spans of a team
-- don't overlap. Where there is none, the runs themselves are read; whoever removes runs removes the spans that have them.
create table insight_tally (
  team_id uuid not null references team (id) on delete cascade,
  begins_at timestamptz(3) not null,
  -- Exclusive.
  ends_at timestamptz(3) not null,
  runs int not null,
  -- When the first and the last of them were created.
  oldest_at timestamptz(3) not null,
  newest_at timestamptz(3) not null,
  -- The first and the last of their ids.
  first_id uuid not null,
  last_id uuid not null,
  workflow_ids uuid[] not null,
  -- Of each run, as core/insight/insight-runs.ts reads them.
  data bytea not null,
  primary key (team_id, begins_at),
  check (begins_at < ends_at)
);
-- Compressing them would cost more than it saves.
alter table insight_tally alter column data set storage external;

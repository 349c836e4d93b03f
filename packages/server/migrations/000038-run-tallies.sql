-- What a team's use of its quotas says of the runs of this month, for the runs up to a moment (store/team/run-tallies.ts): whoever reads
-- it adds the later ones. Runs of the current month are never removed, so nothing is ever to be taken away.
create table run_tally (
  team_id uuid primary key references team (id) on delete cascade,
  month_begins_at timestamptz(3) not null,
  until timestamptz(3) not null,
  -- Runs that were submitted before that moment.
  runs int not null default 0,
  -- Of the runs of the month that ended before that moment.
  total_ms bigint not null default 0,
  durations_ms bigint[] not null default '{}'
);
-- Sorted numbers of which one is wanted: to compress them would cost more than it saves.
alter table run_tally alter column durations_ms set storage external;

-- How long the runs of a team took that ended after a moment, from the index alone.
create index run_ended on run (team_id, ended_at) include (id, started_at) where ended_at is not null;

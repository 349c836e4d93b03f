-- Events of a workflow that are collected into one run: debounce and batch (docs/concurrency.md).
alter table run drop constraint run_held_for_check;
alter table run add constraint run_held_for_check check (held_for in ('slot', 'rate', 'events'));

-- One row for each run that takes more events. The primary key says that a key has one such run.
create table run_collection (
  team_id uuid not null references team on delete cascade,
  workflow_id uuid not null,
  key text not null,
  run_id uuid not null,
  workflow_version_id uuid not null,      -- an event of another version opens another run
  kind text not null check (kind in ('debounce', 'batch')),
  param text,                             -- of a batch: the parameter that gets the list
  size int,                               -- of a batch: events at which the run starts
  events int not null default 1,
  bytes bigint not null,                  -- of a batch: of the list so far
  limits json,                            -- what the run asks for when it is let go (request_slot); null: nothing
  due_at timestamptz(3) not null,         -- when it is let go if nothing comes
  last_at timestamptz(3) not null,        -- when it is let go in any case
  primary key (team_id, workflow_id, key),
  check ((kind = 'batch') = (param is not null and size is not null))
);
create unique index run_collection_run on run_collection (team_id, run_id);

-- What the events of a batch brought, until the run is let go.
create table run_collected (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  place int not null,
  payload json not null,
  primary key (team_id, run_id, place)
);
alter table run_collection set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);
alter table run_collected set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);

-- Limits of how many runs of a workflow run at once and how fast they start, and their order in the queue (docs/concurrency.md).
alter table run
  add column slot_key text,               -- of its concurrency limit, as resolved at its submission; null: there is none
  add column held_for text,               -- what its workflow lets it wait for before the queue of the team: slot, rate; null: nothing
  add column queue_rank uuid;             -- its place in the queue, where that is not its id
alter table run add constraint run_held_for_check check (held_for in ('slot', 'rate'));

-- What an engine may start, in order. A run that is held is not in it, so it costs the others nothing.
create index run_startable on run (team_id, coalesce(queue_rank, id), id) where phase in ('pending', 'queued') and held_for is null;
drop index run_queued_child;
create index run_queued_child on run (team_id, id)
  where phase in ('pending', 'queued') and held_for is null and parent_task_run_id is not null;

-- One row for each taken slot of a limit. The primary key is the limit: a slot can't be taken twice.
create table run_slot (
  team_id uuid not null references team on delete cascade,
  workflow_id uuid not null,
  kind text not null check (kind in ('slot', 'rate')),
  key text not null,
  slot int not null,
  run_id uuid not null,
  free_at timestamptz(3),                 -- of a rate: from then on it is free; null: its run gives it back
  primary key (team_id, workflow_id, kind, key, slot),
  check ((kind = 'rate') = (free_at is not null))
);
create index run_slot_run on run_slot (team_id, run_id) where kind = 'slot';
create index run_slot_free on run_slot (free_at) where free_at is not null;

-- One row for each run that is held.
create table run_waiting (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  workflow_id uuid not null,
  kind text not null check (kind in ('slot', 'rate')),
  key text not null,
  rank uuid not null,
  label text not null,                    -- the key, as people read it
  max int not null,
  on_limit text not null,
  rate_key text,
  rate_label text,
  rate_limit int,
  rate_ms bigint,
  primary key (team_id, run_id)
);
create index run_waiting_line on run_waiting (team_id, workflow_id, kind, key, rank, run_id);

-- When an engine must look at those that wait for a limit. Rows are only added and deleted, so that nobody waits for anybody.
create table run_wake (
  id bigint generated always as identity primary key,
  team_id uuid not null references team on delete cascade,
  workflow_id uuid not null,
  kind text not null,
  key text not null,
  due_at timestamptz(3) not null
);
create index run_wake_due on run_wake (due_at);
create index run_wake_key on run_wake (team_id, workflow_id, kind, key, due_at);
alter table run_slot set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);
alter table run_waiting set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);
alter table run_wake set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);

-- Whatever ends a run gives its slot back, in the same transaction.
create trigger release_slot after update of phase on run for each row
  when (new.phase = 'completed' and old.phase <> 'completed' and (old.slot_key is not null or old.held_for is not null))
  execute function release_slot();
-- Tasks of the engine's own may be over before the run is written.
create trigger release_slot_of_ended after insert on run for each row when (new.phase = 'completed' and new.slot_key is not null)
  execute function release_slot();
create trigger release_slot_of_deleted after delete on run for each row
  when (old.slot_key is not null or old.held_for is not null)
  execute function release_slot();

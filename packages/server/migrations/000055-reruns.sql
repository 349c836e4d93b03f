-- Runs that were made from another one (domain/run/rerun), written in the transaction that records the run.
create table run_rerun (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  origin_id uuid not null,                -- the run that it runs again
  origin_version int not null,
  reused int not null,
  tasks json not null,                    -- by id of the task run: where it ran, or who marked it as succeeded and why
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, run_id)
);
create index run_rerun_origin on run_rerun (team_id, origin_id, run_id);

-- How a bulk rerun runs its runs; null: as they were.
alter table run_bulk add column rerun json;

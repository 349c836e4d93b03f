-- The index of the search over runs (store/run/run-search.ts), written beside the runs, seconds later.

-- Runs whose row of the index is missing or out of date. A row is written in the transaction of the change, and removed in the one that writes
-- the index. Without an index: rows are added at one end, and read from the other.
create table run_search_due (
  team_id uuid not null,
  run_id uuid not null,
  noted_at timestamptz(3) not null default db_now()
);
alter table run_search_due set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0.0, autovacuum_analyze_threshold = 50000, autovacuum_vacuum_cost_delay = 0);

-- The words of each run, and marks for what lists are filtered by (core/run/lists/search-words.ts). It has the months of the runs.
create table run_search (
  team_id uuid not null,
  id uuid not null,
  words tsvector not null,
  primary key (team_id, id)
) partition by range (id);
create table run_search_default partition of run_search default;
-- New entries are collected and sorted in by thousands. Searches read those that are not, so they are kept few.
create index run_search_words on run_search using gin (words) with (fastupdate = on, gin_pending_list_limit = 512);
insert into partitioned_table values ('run_search');
do $$
  declare
    month text;
    begins timestamp;
  begin
    for month in select right(c.relname, 6) from pg_inherits i join pg_class c on c.oid = i.inhrelid
                 where i.inhparent = 'run'::regclass and c.relname ~ '_[0-9]{6}$' loop
      begins := to_date(month, 'YYYYMM')::timestamp;
      execute format('create table %I partition of run_search for values from (%L) to (%L)', 'run_search_' || month,
                     id_floor(begins at time zone 'UTC'), id_floor((begins + interval '1 month') at time zone 'UTC'));
    end loop;
  end
$$;

-- How far the runs are indexed that were there before the index: those with this id and later ones. Without a row all are.
create table run_search_past (
  is_only boolean primary key default true check (is_only),
  before_id uuid not null
);
insert into run_search_past (before_id) select 'ffffffff-ffff-ffff-ffff-ffffffffffff' where exists (select from run);

create trigger note_run_for_search after update of labels, params on run for each row execute function note_run_for_search();

-- An action on all runs that matched a filter when it was requested (domain/run/bulk-runs.ts).
create table run_bulk (
  id uuid primary key default new_id(),
  team_id uuid not null references team on delete cascade,
  action text not null check (action in ('cancel', 'retry', 'rerun')),
  filter json not null,
  caller json not null,                   -- who requested it: their rights are checked again for each run
  request_id text not null,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  total int not null,
  done int not null default 0,
  failed int not null default 0,
  created_at timestamptz(3) not null default db_now(),
  worked_at timestamptz(3) not null default db_now(),
  ended_at timestamptz(3),
  check ((status = 'running') = (ended_at is null))
);
create index run_bulk_running on run_bulk (worked_at) where status = 'running';
create index run_bulk_team on run_bulk (team_id, id);
create index run_bulk_ended on run_bulk (ended_at) where ended_at is not null;

-- Its runs, which are those of the moment of the request. What is done to a run and its outcome here are one transaction.
create table run_bulk_item (
  bulk_id uuid not null references run_bulk on delete cascade,
  position int not null,
  team_id uuid not null,
  run_id uuid not null,
  outcome text not null default 'open' check (outcome in ('open', 'done', 'failed')),
  message text,
  new_run_id uuid,
  ended_at timestamptz(3),
  primary key (bulk_id, position)
);
create index run_bulk_item_outcome on run_bulk_item (bulk_id, outcome, position);

-- What people say about a run, and who looks after its failure.
create table run_comment (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  run_id uuid not null,
  text text not null,
  created_by text not null,
  creator_name text not null,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, id)
);
create index run_comment_run on run_comment (team_id, run_id, id);

create table run_acknowledgement (
  team_id uuid not null references team on delete cascade,
  run_id uuid not null,
  text text,
  created_by text not null,
  creator_name text not null,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, run_id)
);

-- Filters of the list of runs that are kept under a name.
create table run_view (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  owner text,                             -- a principal; null: of the team
  name text not null,
  document json not null,
  created_by text not null,
  creator_name text not null,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, id)
);
create unique index run_view_name on run_view (team_id, owner, lower(name)) nulls not distinct;

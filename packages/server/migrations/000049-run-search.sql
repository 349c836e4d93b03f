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

-- The words of each run, and marks for what lists are filtered by (core/run/search-words.ts). It has the months of the runs.
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

-- How far the runs are indexed that were there before the index: those with this id and later ones. Null: all are.
create table run_search_past (
  is_only boolean primary key default true check (is_only),
  before_id uuid
);
insert into run_search_past (before_id) select case when exists (select from run) then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid end;

create trigger note_new_run_for_search after insert on run for each row execute function note_run_for_search();
create trigger note_run_for_search after update of labels, params on run for each row execute function note_run_for_search();

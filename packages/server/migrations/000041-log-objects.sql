-- Logs that were moved out of log_chunk into objects of the log store, one row an attempt (store/log/log-objects.ts).
create table log_object (
  team_id uuid not null,
  task_run_id uuid not null,
  attempt int not null,
  key text not null,
  bytes bigint not null,
  sha256 text not null,
  lines bigint not null,
  -- Of each chunk in the object, as core/log/log-index.ts reads them.
  chunks bytea not null,
  moved_at timestamptz(3) not null default db_now(),
  primary key (team_id, task_run_id, attempt)
);
-- By age, for all teams.
create index log_object_task on log_object (task_run_id);

-- Objects that no row needs: they are noted before they are written, and when their row goes. They are removed when that is due.
create table log_object_unused (
  key text primary key,
  due_at timestamptz(3) not null,
  -- It is being removed, so nothing can need it any more.
  is_going boolean not null default false
);
create index log_object_unused_due on log_object_unused (due_at);

-- The one process that moves logs, and since when that has been failing.
create table log_moving (
  is_only boolean primary key default true check (is_only),
  mover uuid not null,
  until timestamptz(3) not null,
  failing_since timestamptz(3),
  failure text
);

-- What happens: workers, runs, task runs, their attempts and logs.
-- Hot tables lead with the team. History is partitioned by month of the id. Of the tables that a submission writes only `run` has indexes for
-- lists, with one row a run; `task_run` has none: its many rows are the cost of a submission.

create table worker (
  id uuid primary key default new_id(),
  host text not null,
  pid int not null,
  roles text[] not null,
  executors text[] not null,
  labels text[] not null default '{}',
  slots int not null,
  started_at timestamptz(3) not null default db_now(),
  lease_until timestamptz(3) not null,    -- the lease of every attempt this process holds; extended by its heartbeat
  configured text[] not null default '{}', -- executors that it was told to have; those in "executors" work now
  place text,                             -- null: it has no folder of workspaces
  faults jsonb not null default '{}'      -- by kind of executor: why it does not work now, where that is a fault of the machine
);

create table run (
  id uuid not null default new_id(),
  team_id uuid not null,
  workflow_id uuid not null,
  workflow_version_id uuid not null,
  workflow_version int not null,
  task_version_ids uuid[] not null,       -- with workflow_version_id: the whole content of this run
  state_version bigint not null default 1, -- raised by every change to the run or its task runs: the optimistic fence
  status text not null check (status in ('notstarted', 'ready', 'running', 'waiting', 'succeeded', 'failed', 'invalid', 'cancelled', 'timedout')),
  phase text not null check (phase in ('pending', 'queued', 'running', 'completed', 'finalized')),
  reason text,
  status_message text,
  status_override text check (status_override in ('succeeded', 'failed')),
  trigger text not null,
  initiated_by text,
  labels jsonb not null default '{}',
  annotations json not null default '{}',
  params json not null default '[]',      -- RunParam[] resolved at submit, secrets masked
  layers json not null,                   -- snapshot {global, team, workflow, context}: name -> value, secrets masked
  secrets bytea,                          -- envelope of the values that are masked above
  workspaces json not null default '[]',
  results json not null default '[]',
  timeout_minutes int,
  retries int not null default 0,
  retry_count int not null default 0,
  retry_of uuid,                          -- the first original
  parent_run_id uuid,
  parent_task_run_id uuid,
  depth int not null default 0,
  debug boolean not null default false,
  task_count int not null,
  awaiting_approval boolean not null default false,
  created_at timestamptz(3) not null default db_now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  due_at timestamptz(3),                  -- deadline of the run, while it is running
  default_image text,                     -- for steps without an image, as the setting was at submission
  -- A run that only waits takes no place in its team's quota maxConcurrentRuns (core/run/run-activity.ts tells what active and wanted mean).
  activity text not null default 'none' check (activity in ('none', 'wanted', 'active')),
  active_since timestamptz(3),
  active_ms bigint not null default 0,
  max_active_minutes int,
  -- Whose run it is must outlive the run that started it. Otherwise people could approve what they have started once their own run was removed,
  -- with its workflow or for its age.
  origin_requester text,
  origin_workflow_id uuid,
  warning_count int not null default 0,   -- of its task runs, counted as they are written, so that lists of runs need not read task runs
  -- Where runs come from, so that chains of runs that start each other end: the workflows that led to a run, the first one first, without its own.
  -- They come with an event or a request that starts it, from the run whose child or follow-up it is, or from the run that made its schedule.
  lineage uuid[] not null default '{}',
  primary key (team_id, id),
  check ((phase in ('completed', 'finalized')) = (ended_at is not null)),
  check (phase <> 'running' or started_at is not null),
  constraint run_activity_while_running check (activity = 'none' or phase = 'running'),
  constraint run_active_since check (activity = 'active' or active_since is null)
) partition by range (id);
create table run_default partition of run default;
create index run_by_id on run (id) include (team_id);
create index run_workflow on run (team_id, workflow_id, id);
create index run_status on run (team_id, status, id);
create index run_queued on run (team_id, id) where phase in ('pending', 'queued');
create index run_queued_child on run (team_id, id) where phase in ('pending', 'queued') and parent_task_run_id is not null;
create index run_running on run (team_id, id) where phase = 'running';
create index run_due on run (due_at) where due_at is not null;
create index run_parent on run (team_id, parent_run_id) where parent_run_id is not null;
create index run_labels on run using gin (labels);
-- Runs of a trigger that is rare in its team. What it was started by never changes, so a run is written here once.
create index run_trigger on run (team_id, trigger, id);
create index run_finalized on run (team_id, id) where phase = 'finalized';
create index run_active on run (team_id) where activity = 'active';
create index run_wanted on run (team_id, id) where activity = 'wanted';
-- The open runs of a schedule; its automatic retries keep the initiator, and so count too.
create index run_of_schedule on run (team_id, initiated_by) where trigger = 'schedule' and phase in ('pending', 'queued', 'running');
-- Runs are many: what a key still seals of them is found by this. Most runs have no secrets and no entry.
create index run_sealed on run (sealed_bytes_key(secrets), team_id, id) where secrets is not null;
insert into partitioned_table values ('run');

create table task_run (
  id uuid not null default new_id(),
  team_id uuid not null,
  run_id uuid not null,
  node int not null,                      -- index of the node in the plan of the run
  item int,                               -- index of the forEach item; null for the node itself
  name text not null,
  type text not null,
  task_id uuid,
  task_version_id uuid,
  task_version int,
  status text not null check (status in ('notstarted', 'ready', 'running', 'waiting', 'succeeded', 'failed', 'invalid', 'skipped', 'cancelled', 'timedout')),
  phase text not null check (phase in ('pending', 'queued', 'running', 'completed')),
  reason text,
  status_message text,
  attempt int not null default 0,         -- the fence: only the holder of the newest attempt can write an outcome
  retries_used int not null default 0,
  losses int not null default 0,          -- lost attempts in a row
  params json not null default '[]',      -- RunParam[] resolved when the task became ready, secrets masked
  results json not null default '[]',
  warnings json not null default '[]',
  decision_value text,
  wait_kind text,                         -- action, event, sleep, retry, lock, run, items
  wait_key text,                          -- the action's id, the topic, the lock, the child run …
  wait_detail text,                       -- in words, with names: what people read
  executor text,                          -- what it needs: process, container, kubernetes, or image (one of the last two); null for what the engine does itself
  runs_on text[] not null default '{}',   -- labels a worker must have
  timeout_minutes int,                    -- of each attempt; null: only the deadline of the run holds
  worker_id uuid,
  created_at timestamptz(3) not null default db_now(),
  ready_at timestamptz(3),                -- its turn came
  claimable_at timestamptz(3),            -- the same, while an executor has yet to claim it; null otherwise (see the index)
  started_at timestamptz(3),
  ended_at timestamptz(3),
  due_at timestamptz(3),                  -- when the engine must look again: wake time, retry or deadline, whichever is first
  deadline_at timestamptz(3),
  given_back int not null default 0,      -- of the losses in a row those by workers that ended in good order
  -- '' can be claimed by any worker; '?' has workspaces that nobody has taken yet, 'store' those that are in the store; else by workers with that place.
  place text not null default '',
  primary key (team_id, id),
  check ((phase = 'completed') = (ended_at is not null)),
  check (status <> 'waiting' or wait_kind is not null),
  check (claimable_at is null or status = 'ready')
) partition by range (id);
create table task_run_default partition of task_run default;
create index task_run_by_id on task_run (id) include (team_id);
create index task_run_run on task_run (team_id, run_id, node, item);
-- No index and no predicate has the status in it: a change of status alone then touches no index (heap-only update), which is all
-- that ever happens to the engine's own tasks.
-- A task that waits for one place costs the claims of other places nothing: each reads its own stretch of the index.
create index task_run_claimable on task_run (team_id, place, claimable_at, id) where claimable_at is not null;
create index task_run_due on task_run (due_at) where due_at is not null;
create index task_run_worker on task_run (worker_id) where worker_id is not null;
create index task_run_wait on task_run (team_id, wait_kind, wait_key) where wait_key is not null;
insert into partitioned_table values ('task_run');

-- One row an attempt that ended (executors), or a failed try of the engine's own tasks.
create table task_run_attempt (
  id uuid not null default new_id(),
  team_id uuid not null,
  task_run_id uuid not null,
  attempt int not null,
  status text not null check (status in ('succeeded', 'failed', 'invalid', 'cancelled', 'timedout', 'lost')),
  reason text,
  status_message text,
  exit_code int,
  signal text,
  executor text,
  isolation text,                         -- the sandbox level or the runtime that held it
  host text,
  worker_id uuid,
  started_at timestamptz(3),
  ended_at timestamptz(3) not null default db_now(),
  place json,                             -- {node, unit, images}: where it ran, beside the host
  waits json,                             -- {queueMs, quotaMs, schedulingMs, imagePullMs, startMs}
  primary key (team_id, id)
) partition by range (id);
create table task_run_attempt_default partition of task_run_attempt default;
create index task_run_attempt_task on task_run_attempt (team_id, task_run_id, attempt);
insert into partitioned_table values ('task_run_attempt');

-- A log is append-only compressed chunks; one chunk is one future object of an object store.
create table log_chunk (
  id uuid not null default new_id(),
  team_id uuid not null,
  task_run_id uuid not null,
  attempt int not null,
  seq int not null,
  first_line bigint not null,
  line_count int not null,
  raw_bytes int not null,
  data bytea not null,                    -- raw deflate of JSON lines [epoch ms, step, stream, text]
  primary key (team_id, id)
) partition by range (id);
alter table log_chunk alter column data set storage external;
create table log_chunk_default partition of log_chunk default;
create index log_chunk_task on log_chunk (team_id, task_run_id, attempt, seq);
insert into partitioned_table values ('log_chunk');

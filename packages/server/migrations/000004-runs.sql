-- What happens: runs, task runs, their attempts and logs, and everything a task run can wait for.
-- Hot tables lead with the team. History is partitioned by month of the id.

create table worker (
  id uuid primary key default new_id(),
  host text not null,
  pid int not null,
  roles text[] not null,
  executors text[] not null,
  labels text[] not null default '{}',
  slots int not null,
  started_at timestamptz(3) not null default db_now(),
  lease_until timestamptz(3) not null     -- the lease of every attempt this process holds; extended by its heartbeat
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
  primary key (team_id, id),
  check ((phase in ('completed', 'finalized')) = (ended_at is not null)),
  check (phase <> 'running' or started_at is not null)
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
  executor text,                          -- process, container, kubernetes; null for what the engine does itself
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
create index task_run_claimable on task_run (team_id, claimable_at, id) where claimable_at is not null;
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

-- Teams that had work lately: the first step of a claim, and the fairness. Rows are refreshed at most once a minute and
-- pruned when idle; a sweep adds what is missing, so a lost row costs seconds, never a run.
create table ready_team (
  team_id uuid primary key references team on delete cascade,
  last_work_at timestamptz(3) not null default db_now(),
  last_claim_at timestamptz(3) not null default 'epoch'
);

-- The mailbox of a run: what another transaction wants it to know. Written without the run's lock, drained under it.
create table run_signal (
  id bigint generated always as identity primary key,
  team_id uuid not null,
  run_id uuid not null,
  kind text not null check (kind in ('cancel', 'event', 'lock', 'child', 'retry')),
  data json not null default '{}',
  created_at timestamptz(3) not null default db_now()
);
create index run_signal_run on run_signal (team_id, run_id, id);

-- Callbacks that arrived, early or not: a wait that is reached later finds its event here.
create table run_event (
  team_id uuid not null,
  id uuid not null default new_id(),
  run_id uuid not null,
  topic text not null,
  status text not null check (status in ('succeeded', 'failed')),
  payload json,
  at timestamptz(3) not null default db_now(),
  primary key (team_id, id)
);
create index run_event_topic on run_event (team_id, run_id, topic, id);

-- Named locks of a team, each held by one run. Exclusive by the primary key; freed when the run ends.
create table task_lock (
  team_id uuid not null references team on delete cascade,
  key text not null,
  run_id uuid not null,
  task_run_id uuid not null,
  acquired_at timestamptz(3) not null default db_now(),
  primary key (team_id, key)
);
create index task_lock_run on task_lock (team_id, run_id);

create table action (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  workflow_id uuid not null,
  run_id uuid not null,
  task_run_id uuid not null,
  type text not null check (type in ('approval', 'manual')),
  status text not null default 'submitted' check (status in ('submitted', 'approved', 'rejected', 'cancelled')),
  instructions text,
  approver_group_id uuid,
  approvers_wanted int not null default 1 check (approvers_wanted >= 1),
  created_at timestamptz(3) not null default db_now(),
  decided_at timestamptz(3),
  primary key (team_id, id)
);
create index action_created on action (team_id, created_at, id);
create index action_run on action (team_id, run_id);

create table action_vote (
  team_id uuid not null,
  action_id uuid not null,
  principal text not null,                -- one vote a principal
  name text,
  email text,
  approved boolean not null,
  comments text,
  at timestamptz(3) not null default db_now(),
  primary key (team_id, action_id, principal),
  foreign key (team_id, action_id) references action on delete cascade
);

-- Hot tables: vacuum and analyse by number of rows, not by share, and without pauses.
do $$
declare hot text;
begin
  perform ensure_partitions(1);
  for hot in select unnest(array['ready_team', 'run_signal', 'task_lock', 'worker']) loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.0, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 0)', hot);
  end loop;
end
$$;
analyze;

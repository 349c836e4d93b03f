-- What the engine keeps beside runs: who has work, what runs are told and wait for, where their workspaces are.

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
  deadline_at timestamptz(3),             -- when the wait ends by itself: the earliest of its own deadline, the task's and the run's
  reminder_minutes int check (reminder_minutes >= 1), -- a reminder is due each time that many minutes have passed
  bars_requester boolean not null default false, -- who started the run may not vote
  -- Reminders: due each time that reminder_minutes have passed since the action was opened, until it is over. The row says when the next one
  -- is due, so whoever moves it on is the one who reminds.
  reminders_sent int not null default 0,  -- how many have come due, those that were missed included
  remind_at timestamptz(3),               -- null: no more will come
  voter_ids uuid[],                       -- of an approver group, decided when the action is opened (keep_voters)
  primary key (team_id, id)
);
create index action_created on action (team_id, created_at, id);
create index action_run on action (team_id, run_id);
create index action_remind on action (remind_at) where remind_at is not null and status = 'submitted';
-- The open ones among many that are decided, those of one workflow, and the summary.
create index action_status on action (team_id, status, created_at, id) include (type, workflow_id);
create index action_workflow on action (team_id, workflow_id, created_at, id);

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

-- What came of the end of a run for a workflow whose trigger it fits: one row, whoever looks how often.
create table outcome_start (
  team_id uuid not null references team on delete cascade,
  cause_run_id uuid not null,             -- the run that ended
  workflow_id uuid not null,              -- the workflow that fits
  outcome text not null check (outcome in ('submitted', 'refused', 'loop', 'tooLong')),
  run_id uuid,                            -- the run that was submitted
  message text,                           -- why there is none
  chain uuid[] not null,                  -- the workflows that led here, from the first cause to that of the run that ended
  at timestamptz(3) not null default db_now(),
  primary key (team_id, cause_run_id, workflow_id),
  check ((outcome = 'submitted') = (run_id is not null))
);
create index outcome_start_run on outcome_start (team_id, run_id) where run_id is not null;
create index outcome_start_at on outcome_start (at);

-- Tasks go to the workspaces of their run. A workspace is in one place: the folder of workspaces of a machine (or of several that share it),
-- named by the id that is kept in that folder, or the cluster ("cluster"). Whoever claims the first task of a run takes its workspaces into
-- its own place, in the same transaction; from then on only workers with that place claim tasks of the run.

-- Folders of workspaces, and when a worker that has one was last seen.
create table place (
  id text primary key,
  host text not null,
  path text not null,                             -- on that host
  seen_at timestamptz(3) not null default db_now()
);

-- Which place has the workspaces of a run or a workflow. Tasks of the kinds "process" and "container" share folders of a machine; "image" is where
-- tasks that run in either a container or the cluster find theirs. Removed when the run is over or the workflow is deleted.
create table workspace_place (
  team_id uuid not null,                          -- no reference: a claim must not wait for a lock of the team
  owner_id uuid not null,                         -- a run or a workflow
  kind text not null check (kind in ('folder', 'image')),
  scope text not null check (scope in ('workflow', 'workflowrun')),
  place text not null,
  taken_at timestamptz(3) not null default db_now(),
  primary key (team_id, owner_id, kind)
);

-- Workers archive workspaces in a store after each task (MILLRACE_WORKSPACE_STORE) and restore them on another machine when the one with the folder is
-- gone. Until a worker claims it, such a workspace has the place 'store'; only workers with the store claim the tasks that wait for it.

-- Which archive has the content of a workspace. Without a row only its folder has it.
create table workspace_archive (
  team_id uuid not null,                          -- no references, as workspace_place
  owner_id uuid not null,                         -- a run or a workflow
  state text not null check (state in ('empty', 'local', 'stored')), -- no task has finished in it; the store lacks changes of finished tasks; the archive has all of them
  from_at timestamptz(3) not null default db_now(), -- tasks that finished before are covered by the state
  archive_key text,                                  -- of the object in the store
  archive_sha256 text,
  archive_bytes bigint,
  archive_place text,                                   -- the place it was archived in
  archive_fingerprint text,                          -- of the folder in that place (archives/pack-tree.ts)
  is_restored boolean not null default true,       -- false: must be restored before a task uses it
  primary key (team_id, owner_id),
  constraint workspace_archive_stored_check check (state <> 'stored' or archive_key is not null and archive_sha256 is not null)
);

-- The removal of history: one row, made by the first process that looks for it (store/history/history-removal.ts).
create table history_removal (
  is_only boolean primary key default true check (is_only),
  due_at timestamptz(3) not null, -- the next one
  begun_at timestamptz(3),
  noted_at timestamptz(3), -- when the process that removes was last known to be at it
  ended_at timestamptz(3),
  removed json not null default '{}',
  leaving_months text[] not null default '{}' -- months of runs, as 202601, of which a part may be gone already
);

-- Hot tables: vacuum and analyse by number of rows, not by share, and without pauses.
do $$
declare hot text;
begin
  for hot in select unnest(array['ready_team', 'run_signal', 'task_lock', 'worker']) loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.0, autovacuum_analyze_threshold = 1000, autovacuum_vacuum_cost_delay = 0)', hot);
  end loop;
end
$$;

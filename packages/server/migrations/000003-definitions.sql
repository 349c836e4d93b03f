-- What a team writes down: tasks and workflows. A version row is never changed: replace=true retires the row and adds
-- another with the same number, so that a run keeps the content it was submitted with.

create table task (
  id uuid primary key default new_id(),
  team_id uuid references team on delete cascade,   -- null: a global task
  name text not null check (name ~ '^[0-9A-Za-z-]+$'),
  type text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  verified boolean not null default false,
  latest_version int not null,
  labels jsonb not null default '{}',
  annotations json not null default '{}',
  created_at timestamptz(3) not null default db_now(),
  deleted_at timestamptz(3)               -- hidden at once; runs keep the versions that they were submitted with
);
create unique index task_name on task (team_id, name) nulls not distinct where deleted_at is null;
create index task_labels on task using gin (labels);

create table task_version (
  id uuid primary key default new_id(),
  task_id uuid not null references task on delete cascade,
  version int not null,
  display_name text not null,
  description text,
  category text,
  icon text,
  spec json not null,                     -- TaskSpec with every further member of the Tekton document kept, secrets sealed
  document json,                          -- the spec as the Tekton document wrote it, when the version came as one; no secrets
  change_author text,
  change_reason text,
  changed_at timestamptz(3) not null default db_now(),
  replaced_at timestamptz(3)
);
create unique index task_version_current on task_version (task_id, version) where replaced_at is null;

create table workflow (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  name text not null,
  display_name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  icon text,
  description text,
  labels jsonb not null default '{}',
  annotations json not null default '{}',
  triggers json not null,
  latest_version int not null,
  created_at timestamptz(3) not null default db_now(),
  deleted_at timestamptz(3),              -- hidden at once with its runs; purged in the background
  primary key (team_id, id)
);
create unique index workflow_name on workflow (team_id, name) where deleted_at is null;
create index workflow_deleted on workflow (deleted_at) where deleted_at is not null;
create index workflow_created on workflow (team_id, created_at, id);
create index workflow_labels on workflow using gin (labels);

create table workflow_version (
  team_id uuid not null,
  id uuid not null default new_id(),      -- workflowRevisionRef on the wire
  workflow_id uuid not null,
  version int not null,
  document json not null,                 -- {tasks, params, workspaces, timeout, retries, markdown, members we do not know}
  change_author text,
  change_reason text,
  changed_at timestamptz(3) not null default db_now(),
  replaced_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, workflow_id) references workflow on delete cascade
);
create index workflow_version_workflow on workflow_version (team_id, workflow_id);
create unique index workflow_version_current on workflow_version (team_id, workflow_id, version) where replaced_at is null;

-- Which task versions a workflow version uses. Replacing a task version moves the rows to the new one, so that the next
-- run sees it; a run under way keeps what it was submitted with (run.task_version_ids).
create table workflow_version_task (
  team_id uuid not null,
  workflow_version_id uuid not null,
  task_id uuid not null references task,
  version int not null,
  task_version_id uuid not null references task_version,
  primary key (team_id, workflow_version_id, task_id, version),
  foreign key (team_id, workflow_version_id) references workflow_version on delete cascade
);
create index workflow_version_task_used on workflow_version_task (task_version_id);

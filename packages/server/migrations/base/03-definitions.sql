-- What a team writes down: tasks, workflows and their templates. A version row is never changed: replace=true retires the row and adds
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
create index task_created on task (team_id, created_at, id) where deleted_at is null;

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
create index workflow_labels on workflow using gin (labels);
-- A count of what is there reads this index alone, without deleted workflows.
create index workflow_created on workflow (team_id, created_at, id) where deleted_at is null;
-- Nearly always empty: which workflows of a team are hidden, so that lists need not ask for each row.
create index workflow_hidden on workflow (team_id, deleted_at) where deleted_at is not null;
-- Which workflows an event may start, and which teams have a workflow of a name.
create index workflow_on_event on workflow (team_id, id) where deleted_at is null and triggers -> 'event' ->> 'enabled' = 'true';
create index workflow_on_codehost on workflow (team_id, id) where deleted_at is null and triggers -> 'codehost' ->> 'enabled' = 'true';
create index workflow_of_any_team on workflow (name) where deleted_at is null;
-- Which workflows the end of another run may start.
create index workflow_on_workflow on workflow (team_id, id) where deleted_at is null and triggers -> 'workflow' ->> 'enabled' = 'true';

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

-- Workflow templates: global, versioned workflow definitions.
create table workflow_template (
  id uuid primary key default new_id(),
  name text not null check (name ~ '^[0-9A-Za-z-]+$'),
  display_name text not null,
  icon text,
  description text,
  labels jsonb not null default '{}',
  annotations json not null default '{}',
  latest_version int not null,
  created_at timestamptz(3) not null default db_now()
);
create unique index workflow_template_name on workflow_template (lower(name));
create index workflow_template_labels on workflow_template using gin (labels);

create table workflow_template_version (
  id uuid primary key default new_id(),
  template_id uuid not null references workflow_template on delete cascade,
  version int not null,
  document json not null,                 -- as workflow_version.document; its tasks are global ones, by name and version
  change_author text,
  change_reason text,
  changed_at timestamptz(3) not null default db_now(),
  replaced_at timestamptz(3)
);
create unique index workflow_template_version_current on workflow_template_version (template_id, version) where replaced_at is null;
create index workflow_template_version_template on workflow_template_version (template_id);

-- The contents of shipped templates that were put in place once: what an administrator has deleted or changed since stays so.
create table shipped_workflow_template (
  name text not null,
  fingerprint text not null,              -- of the shipped document
  placed_at timestamptz(3) not null default db_now(),
  primary key (name, fingerprint)
);

-- The secret with which senders sign webhooks for one workflow. The one before it stays good for a while after it was replaced.
create table webhook_secret (
  team_id uuid not null,
  workflow_id uuid not null,
  secret text not null,                   -- an envelope
  previous text,                          -- an envelope
  previous_until timestamptz(3),
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, workflow_id),
  foreign key (team_id, workflow_id) references workflow on delete cascade,
  check ((previous is null) = (previous_until is null))
);

-- Who arranged that runs start by themselves: wrote or changed a schedule, made the secret that webhooks are signed with. Such a run is theirs
-- where it matters that people do not approve their own runs. Not a part of the schedule or the secret, because it must outlive both: a run that
-- waits for an approval stays the run of the person who has deleted its schedule since.
create table start_author (
  team_id uuid not null references team on delete cascade,
  kind text not null check (kind in ('schedule', 'webhook')),
  ref uuid not null, -- the schedule; of a webhook the workflow
  user_id uuid not null,
  primary key (team_id, kind, ref, user_id)
);

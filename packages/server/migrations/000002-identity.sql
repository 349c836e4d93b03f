-- Who there is: the instance, teams, people, tokens; and what they did (audit).

create table instance (
  singleton boolean primary key default true check (singleton),
  activated_at timestamptz(3),
  one_time_code_hash bytea,               -- sha-256; null when a token given by the operator activated the instance
  key_fingerprint text,                   -- of the encryption key in use; compared at each start
  seeded_at timestamptz(3),
  created_at timestamptz(3) not null default db_now()
);
insert into instance default values;

create table team (
  id uuid primary key default new_id(),
  name text not null,
  display_name text not null,
  status text not null default 'active' check (status in ('active', 'inactive')),
  type text,
  external_ref text,
  labels jsonb not null default '{}',
  parameters json not null default '[]',  -- AbstractParam[]; the value of a secret is an envelope, never clear text
  max_workflow_count int,                 -- the six quotas: null means the instance's default
  max_workflow_run_monthly int,
  max_workflow_storage int,
  max_workflow_run_storage int,
  max_workflow_run_duration int,
  max_concurrent_runs int,
  created_at timestamptz(3) not null default db_now(),
  deleted_at timestamptz(3)               -- hidden at once, purged in the background
);
create unique index team_name on team (name) where deleted_at is null;
create index team_labels on team using gin (labels);

create table app_user (
  id uuid primary key default new_id(),
  email text not null check (email = lower(email)),
  name text,
  display_name text,
  type text not null default 'user' check (type in ('user', 'admin', 'operator', 'sponsor', 'auditor', 'author', 'partner', 'advisor')),
  status text not null default 'active' check (status in ('active', 'inactive', 'pending_deletion', 'deleted', 'archived')),
  password_hash text,
  labels jsonb not null default '{}',
  settings json not null default '{}',
  created_at timestamptz(3) not null default db_now(),
  last_login_at timestamptz(3)
);
create unique index app_user_email on app_user (email);

create table team_member (
  team_id uuid not null references team on delete cascade,
  user_id uuid not null references app_user on delete cascade,
  role text not null check (role in ('owner', 'editor', 'reader')),
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, user_id)
);
create index team_member_user on team_member (user_id);

create table approver_group (
  team_id uuid not null references team on delete cascade,
  id uuid not null default new_id(),
  name text not null,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, id)
);
create unique index approver_group_name on approver_group (team_id, lower(name));

create table approver (
  team_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (team_id, group_id, user_id),
  foreign key (team_id, group_id) references approver_group on delete cascade,
  foreign key (team_id, user_id) references team_member on delete cascade
);

create table token (
  id uuid primary key default new_id(),
  kind text not null check (kind in ('global', 'team', 'workflow', 'user', 'session')),
  hash bytea not null unique,             -- sha-256 of the whole text; the text itself is shown once and never stored
  name text not null,
  description text,
  team_id uuid references team on delete cascade,
  workflow_id uuid,
  user_id uuid references app_user on delete cascade,
  permissions text[] not null,
  created_at timestamptz(3) not null default db_now(),
  created_by text,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  check ((kind in ('team', 'workflow')) = (team_id is not null)),
  check ((kind = 'workflow') = (workflow_id is not null)),
  check ((kind in ('user', 'session')) = (user_id is not null))
);
create index token_team on token (team_id) where team_id is not null;
create index token_user on token (user_id) where user_id is not null;

create table setting (
  group_key text not null,
  key text not null,
  value text not null,                    -- an envelope when the setting is secured
  changed_at timestamptz(3) not null default db_now(),
  primary key (group_key, key)
);

create table global_parameter (
  name text primary key,
  document json not null,                 -- AbstractParam; the value of a secret is an envelope
  created_at timestamptz(3) not null default db_now()
);

-- One row a write: who, with which token, what, when. before/after hold definitions with secrets masked.
create table audit (
  id uuid not null default new_id(),
  team_id uuid,
  at timestamptz(3) not null default db_now(),
  principal_kind text not null,
  principal_id text not null,
  principal_name text,
  token_id uuid,
  action text not null,                   -- resource/verb, as the endpoint declares it
  object_kind text not null,
  object_id text,
  object_name text,
  request_id text,
  before json,
  after json,
  primary key (id)
) partition by range (id);
create table audit_default partition of audit default;
create index audit_team on audit (team_id, id);
insert into partitioned_table values ('audit');

-- The first final answer to a request that carried an Idempotency-Key; kept for 24 hours.
create table idempotency (
  principal text not null,
  method text not null,
  path text not null,
  key text not null,
  request_hash bytea not null,
  status int,                             -- null while the first request is still in its transaction
  response text,
  created_at timestamptz(3) not null default db_now(),
  primary key (principal, method, path, key)
);
create index idempotency_created on idempotency (created_at);

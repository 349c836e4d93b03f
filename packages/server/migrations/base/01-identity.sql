-- Who there is: the instance, teams, people, tokens; how people sign in.

-- The tables that keep history, each partitioned by month of its id. Each start calls ensure_partitions(), and housekeeping daily.
create table partitioned_table (name text primary key);

create table instance (
  singleton boolean primary key default true check (singleton),
  activated_at timestamptz(3),
  one_time_code_hash bytea,               -- sha-256; null when a token given by the operator activated the instance
  key_fingerprint text,                   -- of the encryption key in use; compared at each start
  seeded_at timestamptz(3),
  created_at timestamptz(3) not null default db_now(),
  -- Counts the changes of settings: a process that keeps them in memory tells by it which of two states is the newer one. Locking the row puts
  -- changes in order.
  settings_revision bigint not null default 0
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
  deleted_at timestamptz(3),              -- hidden at once, purged in the background
  -- Which teams may use the network of the machine in their tasks.
  allows_host_network boolean not null default false,
  max_waiting_runs int,                   -- a run that only waits takes no place in max_concurrent_runs (core/run/run-activity.ts)
  -- For how many days the team keeps its history, by kind, where that is less than the instance's (core/history/retention.ts).
  retention jsonb not null default '{}'
);
create unique index team_name on team (name) where deleted_at is null;
create index team_labels on team using gin (labels);
create index team_created on team (created_at, id) where deleted_at is null;
-- Deleted ones and not purged yet: nearly always none.
create index team_hidden on team (id) where deleted_at is not null;
-- The audit is asked for teams by name, deleted ones too.
create index team_any_name on team (name);

-- A person is the issuer and subject of the first sign-in; the address is a label.
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
  last_login_at timestamptz(3),
  -- An invited user becomes active by signing in; one that was deactivated does not.
  is_invited boolean not null default false,
  reset_code_hash bytea,                  -- sha-256 of the code that sets a new password, once
  reset_code_until timestamptz(3),
  issuer text,
  subject text,
  -- Another subject that came with the same address, until an administrator agrees: the last one only, so nobody can pile them up.
  requested_issuer text,
  requested_subject text,
  requested_at timestamptz(3),
  constraint app_user_invited check (not is_invited or status = 'inactive'),
  constraint app_user_reset_code check ((reset_code_hash is null) = (reset_code_until is null)),
  constraint app_user_identity check ((issuer is null) = (subject is null)),
  constraint app_user_requested check
    ((requested_issuer is null) = (requested_subject is null) and (requested_issuer is null) = (requested_at is null))
);
create unique index app_user_email on app_user (email);
create unique index app_user_identity on app_user (issuer, subject) where issuer is not null;
-- Users are few and seldom written, next to everything else; their list is sorted by what they are called.
create index app_user_name on app_user (coalesce(name, email), id);
create index app_user_status on app_user (status, coalesce(name, email), id);
create index app_user_created on app_user (created_at, id);
create index app_user_labels on app_user using gin (labels);
-- The few administrators among many.
create index app_user_type on app_user (type, coalesce(name, email), id);

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
  -- Of sessions only: when they end for want of use, and from where they were begun.
  idle_seconds int check (idle_seconds > 0),
  client_address text,
  user_agent text,
  check ((kind in ('team', 'workflow')) = (team_id is not null)),
  check ((kind = 'workflow') = (workflow_id is not null)),
  check ((kind in ('user', 'session')) = (user_id is not null)),
  constraint token_session_columns
    check (kind = 'session' or (idle_seconds is null and client_address is null and user_agent is null))
);
create index token_team on token (team_id) where team_id is not null;
create index token_user on token (user_id) where user_id is not null;
create index token_session_end on token (expires_at) where kind = 'session';
create index token_created on token (created_at, id) include (team_id);

-- The people behind a token: who made it, and who made the token that made it. Not a part of the token, because it must outlive it: a run that
-- a deleted token has started stays the run of the person who made that token.
create table token_maker (
  token_id uuid not null,
  user_id uuid not null,
  primary key (token_id, user_id)
);

-- A row for each attempt to sign in with a password, from before it is checked until it succeeds or is old.
create table failed_attempt (
  id uuid primary key default new_id(),
  subject bytea not null,                  -- sha-256 of an account or of an address: people type passwords into the wrong field
  at timestamptz(3) not null default db_now()
);
create index failed_attempt_subject on failed_attempt (subject, at);
create index failed_attempt_at on failed_attempt (at);

-- What browsers brought back from a sign-in elsewhere: each is good once. Cleared when its time is over.
create table used_state (
  hash bytea primary key,                  -- sha-256
  until timestamptz(3) not null
);
create index used_state_until on used_state (until);

-- Sign-ins that failed, counted by hour: what was tried, from where, why it was refused, and for whose account where there is one. The number of
-- rows of an hour is bounded by the statement that writes them.
create table failed_sign_in (
  hour timestamptz(3) not null,
  network text not null,                   -- '*' once an hour has had too many
  way text not null,
  reason text not null,
  account text not null default '',        -- address of a user that there is; never what was typed
  count bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (hour, network, way, reason, account)
);

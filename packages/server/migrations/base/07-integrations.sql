-- What comes from outside: installations of the codehost's app and the teams they are linked to, and workspaces of the chat platform.

-- An installation belongs to an organisation on the codehost, not to a team: it is recorded by the platform's own notice.
create table installation (
  id uuid primary key default new_id(),
  type text not null check (type in ('codehost_app')),
  ref text not null,                      -- the platform's number of it
  data json not null,                     -- the platform's installation object
  repositories text[] not null default '{}', -- their names, as far as the platform has told them
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz(3) not null default db_now(),
  changed_at timestamptz(3) not null default db_now(),
  -- The hour after an installation was made, in which who may write a team's integrations may link it. Without it an administrator links it.
  linkable_until timestamptz(3)
);
create unique index installation_ref on installation (type, ref);

-- Events of an installation go to the teams that are linked to it. Many teams may link the same one.
create table team_installation (
  team_id uuid not null references team on delete cascade,
  installation_id uuid not null references installation on delete cascade,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, installation_id)
);
create index team_installation_installation on team_installation (installation_id);

create table chat_workspace (
  id uuid primary key default new_id(),
  ref text not null,                      -- the platform's id of the workspace
  name text,
  app_id text,
  token text,                             -- an envelope; null: the workspace of the setting chat.token, which was linked without an installation
  scopes text[] not null default '{}',
  created_at timestamptz(3) not null default db_now(),
  changed_at timestamptz(3) not null default db_now(),
  -- Somebody who may write integrations of the whole instance has linked it: its word for who its people are is taken.
  vouched_at timestamptz(3),
  -- The token is sent to the API that granted it, and nowhere else: a changed setting chat.baseURL does not take it along.
  api_url text
);
create unique index chat_workspace_ref on chat_workspace (ref);

create table team_chat_workspace (
  team_id uuid not null references team on delete cascade,
  workspace_id uuid not null references chat_workspace on delete cascade,
  created_at timestamptz(3) not null default db_now(),
  primary key (team_id, workspace_id)
);
create index team_chat_workspace_workspace on team_chat_workspace (workspace_id);

create table chat_user (
  workspace_id uuid not null references chat_workspace on delete cascade,
  ref text not null,                      -- the platform's id of the user
  email text,                             -- lower case, as the platform has confirmed it; null until it was asked
  checked_at timestamptz(3),              -- when the platform last said so
  welcomed_at timestamptz(3),
  primary key (workspace_id, ref)
);

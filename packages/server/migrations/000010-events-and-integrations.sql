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
  changed_at timestamptz(3) not null default db_now()
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
  token text not null,                    -- an envelope
  scopes text[] not null default '{}',
  created_at timestamptz(3) not null default db_now(),
  changed_at timestamptz(3) not null default db_now()
);
create unique index chat_workspace_ref on chat_workspace (ref);

-- Which workflows an event may start, and which teams have a workflow of a name.
create index workflow_on_event on workflow (team_id, id) where deleted_at is null and triggers -> 'event' ->> 'enabled' = 'true';
create index workflow_on_codehost on workflow (team_id, id) where deleted_at is null and triggers -> 'codehost' ->> 'enabled' = 'true';
create index workflow_of_any_team on workflow (name) where deleted_at is null;

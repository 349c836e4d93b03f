-- Chat: which teams a workspace reaches, and who its users are here.

-- Null: the workspace of the setting chat.token, which was linked without an installation.
alter table chat_workspace alter column token drop not null;
-- Somebody who may write integrations of the whole instance has linked it: its word for who its people are is taken.
alter table chat_workspace add column vouched_at timestamptz(3);

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

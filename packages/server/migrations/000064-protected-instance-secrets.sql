-- Protected secrets of the instance (docs/protected-publishing.md): in each team the group of that name approves.
create table global_secret_protection (
  name text primary key references global_parameter (name),
  approver_group text not null,           -- name of a group of the team
  approvals int not null default 1 check (approvals >= 1)
);

-- Versions of workflows whose runs get such a secret. They end with the protection.
create table global_secret_approval (
  team_id uuid not null,
  workflow_version_id uuid not null,
  name text not null references global_secret_protection (name) on delete cascade,
  primary key (team_id, workflow_version_id, name),
  foreign key (team_id, workflow_version_id) references workflow_version (team_id, id) on delete cascade
);
create index global_secret_approval_name on global_secret_approval (name);

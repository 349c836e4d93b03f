-- Protected secrets of a team, and teams of which every workflow is protected (docs/protected-publishing.md).
create table secret_protection (
  team_id uuid not null references team (id) on delete cascade,
  name text not null,                     -- of a parameter of the team
  approver_group_id uuid not null,
  approvals int not null default 1 check (approvals >= 1),
  primary key (team_id, name),
  foreign key (team_id, approver_group_id) references approver_group (team_id, id)
);
create index secret_protection_group on secret_protection (team_id, approver_group_id);

-- Versions of workflows whose runs get such a secret. They end with the protection.
create table secret_approval (
  team_id uuid not null,
  workflow_version_id uuid not null,
  name text not null,
  primary key (team_id, workflow_version_id, name),
  foreign key (team_id, workflow_version_id) references workflow_version (team_id, id) on delete cascade,
  foreign key (team_id, name) references secret_protection (team_id, name) on delete cascade
);
create index secret_approval_name on secret_approval (team_id, name);

create table team_protection (
  team_id uuid primary key references team (id) on delete cascade,
  approver_group_id uuid not null,
  approvals int not null default 1 check (approvals >= 1),
  foreign key (team_id, approver_group_id) references approver_group (team_id, id)
);
create index team_protection_group on team_protection (team_id, approver_group_id);

-- Groups that have approved the same draft already, where several have to.
alter table workflow_proposal add column approved_by json not null default '[]';

-- Who leaves an approver group no longer has the votes that came with it, nor has anyone whom they were given to.
create trigger end_delegations after delete on approver referencing old table as leavers
  for each statement execute function end_delegations_of_leavers();

-- Actions that ask for the approval of a version are removed with the history of runs.
create index action_of_version on action (team_id, decided_at) where run_id is null;

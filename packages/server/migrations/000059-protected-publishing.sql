-- Protected publishing (docs/protected-publishing.md): new versions of a workflow wait for the approval of a group.
create table workflow_protection (
  team_id uuid not null,
  workflow_id uuid not null,
  approver_group_id uuid not null,
  approvals int not null default 1 check (approvals >= 1),
  primary key (team_id, workflow_id),
  foreign key (team_id, workflow_id) references workflow (team_id, id) on delete cascade,
  foreign key (team_id, approver_group_id) references approver_group (team_id, id)
);
create index workflow_protection_group on workflow_protection (team_id, approver_group_id);

-- An action that asks whether a version is published is about no run.
alter table action
  alter column run_id drop not null,
  alter column task_run_id drop not null,
  add column proposer text,               -- the principal whose version it is
  drop constraint action_type_check,
  add constraint action_type_check check (type in ('approval', 'manual', 'publish')),
  add constraint action_of_run check ((run_id is null) = (type = 'publish') and (task_run_id is null) = (run_id is null)
    and (proposer is null) = (run_id is not null));

-- What would be the next version. Its action says whether it is open, and how it ended.
create table workflow_proposal (
  team_id uuid not null,
  action_id uuid not null,
  workflow_id uuid not null,
  base_version int not null,              -- the version that it was made from
  head json not null,                     -- what all versions share, as it would be
  document json not null,
  used json not null,                     -- the versions of its tasks
  author text not null,
  reason text not null,
  note text,                              -- why it was closed without a decision
  primary key (team_id, action_id),
  foreign key (team_id, action_id) references action (team_id, id) on delete cascade,
  foreign key (team_id, workflow_id) references workflow (team_id, id) on delete cascade
);
create index workflow_proposal_workflow on workflow_proposal (team_id, workflow_id, action_id);
create trigger note_sealed_keys after insert or update of document on workflow_proposal
  for each row execute function note_sealed_columns('document', 'document');

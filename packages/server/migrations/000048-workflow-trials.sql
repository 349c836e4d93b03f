-- Trials of a workflow: of what it is a trial, and which tasks end at once with which results. Null: no trial. It is beside the document, in
-- which authors may have members of any name.
alter table workflow_version add column trial json;

-- Nearly always empty: workflows that were made for a trial, so that lists of runs leave theirs out. The words are those of core/workflow/try-name.ts.
create index workflow_trial on workflow (team_id, id) where starts_with(name, 'try~workflow~');

-- Who has a workflow open in an editor. A row counts until it expires.
create table workflow_editor (
  team_id uuid not null,
  workflow_id uuid not null,
  session text not null,
  principal text not null,
  name text not null,
  unsaved boolean not null,
  since timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (team_id, workflow_id, principal, session),
  foreign key (team_id, workflow_id) references workflow on delete cascade
);
create index workflow_editor_expired on workflow_editor (expires_at);

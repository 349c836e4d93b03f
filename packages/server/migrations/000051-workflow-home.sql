-- Workflows that are kept out of sight, those that a person has marked, and the schedules of a team by their next times.
alter table workflow add column archived_at timestamptz(3), add column archived_from text;
create index workflow_archived on workflow (team_id, archived_at) where archived_at is not null;

create table favourite (
  team_id uuid not null,
  user_id uuid not null references app_user (id) on delete cascade,
  workflow_id uuid not null,
  created_at timestamptz(3) not null default db_now(),
  primary key (user_id, team_id, workflow_id),
  foreign key (team_id, workflow_id) references workflow (team_id, id) on delete cascade
);
create index favourite_workflow on favourite (team_id, workflow_id);

create index schedule_next on schedule (team_id, next_at) where next_at is not null;

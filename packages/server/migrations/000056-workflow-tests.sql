-- Tests of workflows (store/workflow/workflow-tests.ts, docs/workflow-tests.md).

-- No new version is saved while its tests fail.
alter table workflow add column requires_tests boolean not null default false;

-- Each change of a test is a row of its own, so that a version of the workflow still knows the tests that stood with it.
create table workflow_test (
  team_id uuid not null,
  id uuid not null default new_id(),
  workflow_id uuid not null,
  name text not null,
  version int not null,
  document json not null,
  author text not null,
  changed_at timestamptz(3) not null default db_now(),
  replaced_at timestamptz(3),
  primary key (team_id, id),
  foreign key (team_id, workflow_id) references workflow (team_id, id) on delete cascade
);
create unique index workflow_test_current on workflow_test (team_id, workflow_id, name) where replaced_at is null;
create index workflow_test_workflow on workflow_test (team_id, workflow_id);

-- How each test ended with a version of its workflow: when the version was saved, or the test was.
create table workflow_version_test (
  team_id uuid not null,
  workflow_version_id uuid not null,
  workflow_test_id uuid not null,
  outcome text not null check (outcome in ('passed', 'failed')),
  message text,
  tested_at timestamptz(3) not null default db_now(),
  primary key (team_id, workflow_version_id, workflow_test_id),
  foreign key (team_id, workflow_version_id) references workflow_version (team_id, id) on delete cascade,
  foreign key (team_id, workflow_test_id) references workflow_test (team_id, id) on delete cascade
);
create index workflow_version_test_test on workflow_version_test (team_id, workflow_test_id);

-- Indexes for the lists that people page through. Of the tables that a submission writes only `run` gets one, with one row a run; `task_run`
-- gets none: its many rows are the cost of a submission.

-- A count of what is there reads this index alone; the one that it replaces holds deleted workflows, too.
drop index workflow_created;
create index workflow_created on workflow (team_id, created_at, id) where deleted_at is null;
-- Nearly always empty: which workflows of a team are hidden, so that lists need not ask for each row.
create index workflow_hidden on workflow (team_id, deleted_at) where deleted_at is not null;

create index task_created on task (team_id, created_at, id) where deleted_at is null;

-- The open ones among many that are decided, those of one workflow, and the summary.
create index action_status on action (team_id, status, created_at, id) include (type, workflow_id);
create index action_workflow on action (team_id, workflow_id, created_at, id);

create index token_created on token (created_at, id) include (team_id);
create index team_created on team (created_at, id) where deleted_at is null;
-- Deleted ones and not purged yet: nearly always none.
create index team_hidden on team (id) where deleted_at is not null;

-- Runs of a trigger that is rare in its team. What it was started by never changes, so a run is written here once.
create index run_trigger on run (team_id, trigger, id);
create index run_finalized on run (team_id, id) where phase = 'finalized';

-- Users are few and seldom written, next to everything else; their list is sorted by what they are called.
create index app_user_name on app_user (coalesce(name, email), id);
create index app_user_status on app_user (status, coalesce(name, email), id);
create index app_user_created on app_user (created_at, id);
create index app_user_labels on app_user using gin (labels);
-- The audit is asked for teams by name, deleted ones too.
create index team_any_name on team (name);

-- A claim finds what its worker can run behind any number of task runs that it can't (store/functions/claim-task-runs.sql): tasks for labels or executors
-- that no worker has now may wait for days, and each claim would read all of them. Only what waits is in it.
create index task_run_waiting_kind on task_run (team_id, place, executor, runs_on, claimable_at, id) where claimable_at is not null;

-- Which kinds of task runs wait is asked once for all teams, not team by team (store/functions/claim-task-runs.sql): many teams may each wait for a worker
-- that isn't there. So the kind comes first in the index, then the team.
drop index task_run_waiting_kind;
create index task_run_waiting_kind on task_run (place, executor, runs_on, team_id, claimable_at, id) where claimable_at is not null;

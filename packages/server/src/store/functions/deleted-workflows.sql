-- A run is never left in a workflow that is deleted while the run is submitted: who deletes it waits for the submissions that hold this lock,
-- and then sees their runs; who submits later sees, since each statement of this function reads anew, that the workflow is gone.
-- ME404 is no state of the server's own. A lock for each team, not for each workflow: a team is deleted with thousands of them.
create or replace function require_workflow(of_team uuid, workflow_id uuid) returns uuid language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(hashtextextended('runs of team ' || of_team, 0));
    if not exists (select from workflow w where w.team_id = of_team and w.id = workflow_id and w.deleted_at is null) then
      raise exception 'the workflow % is deleted', workflow_id using errcode = 'ME404';
    end if;
    return workflow_id;
  end
$$;

-- For a run that begins with its submission, also: its team may run something. Who pauses the team waits for the submissions that hold the lock.
-- ME423 is no state of the server's own.
create or replace function require_runnable(of_team uuid, workflow_id uuid, begins boolean) returns uuid language plpgsql as $$
  begin
    perform require_workflow(of_team, workflow_id);
    if begins and not exists (select from team t where t.id = of_team and t.status = 'active') then
      raise exception 'the team % may run nothing', of_team using errcode = 'ME423';
    end if;
    return workflow_id;
  end
$$;

-- Waits for the submissions to a team that have not committed; the next ones wait for this transaction.
create or replace function hold_submissions(of_team uuid) returns void language sql
  return pg_advisory_xact_lock(hashtextextended('runs of team ' || of_team, 0));

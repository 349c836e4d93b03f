-- Records runs of one team and their task runs, in whatever state they already are, with the audit records of that. The task runs come after
-- the runs, or an event about one of them would not know its run. Submissions that arrive together are recorded by one call, since most of what
-- a single one costs is the beginning of its statements.
create or replace function insert_runs(runs json, tasks json, audits json, placed uuid[], works boolean) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  declare
    added uuid[];
  begin
    perform require_runnable(w.team_id, w.workflow_id, w.begins)
    from (select distinct r.team_id, r.workflow_id, r.phase not in ('pending', 'queued') as begins
          from json_to_recordset(runs) as r(team_id uuid, workflow_id uuid, phase text)) w;

    with new_run as (
      -- The members of a row are the columns of the table (store/run/run-rows.ts), so they are not listed here. What no row has stands in
      -- the first argument: a new column with a default is added to it, or is null.
      insert into run
      select r.* from json_populate_recordset(json_populate_record(null::run, '{"state_version":1}'), runs) as r
      returning team_id, id
    ), noted as (
      insert into run_search_due (team_id, run_id) select team_id, id from new_run
    ), audited as (
      insert into audit (team_id, principal_kind, principal_id, principal_name, token_id, action, object_kind, object_id, object_name, request_id,
        before, after)
      select a.team_id, a.principal_kind, a.principal_id, a.principal_name, a.token_id, a.action, a.object_kind, a.object_id, a.object_name, a.request_id,
        a.before, a.after
      from json_to_recordset(audits) as a(team_id uuid, principal_kind text, principal_id text, principal_name text, token_id uuid, action text,
        object_kind text, object_id text, object_name text, request_id text, before json, after json)
    )
    select array_agg(id) into added from new_run;

    perform insert_task_runs(tasks, added);
    if cardinality(placed) > 0 then
      perform place_ready_tasks(tasks, placed);
    end if;
    if works then
      perform note_work(array(select distinct r.team_id from json_to_recordset(runs) as r(team_id uuid)));
    end if;
  end
  $$;

-- The same for runs of one team that begin with a place each, of which it has so many at most. What is counted under its lock stays true. Returns
-- false where there are too few, or the team may run nothing: none is recorded then.
create or replace function insert_placed_runs(of_team uuid, most int, wanted int, runs json, tasks json, audits json, placed uuid[], works boolean)
  returns boolean
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
  begin
    perform 1 from team t where t.id = of_team and t.deleted_at is null and t.status = 'active' for no key update;
    if not found or (select count(*) from run r where r.team_id = of_team and r.activity = 'active') + wanted > most then
      return false;
    end if;
    perform insert_runs(runs, tasks, audits, placed, works);
    return true;
  end
  $$;
